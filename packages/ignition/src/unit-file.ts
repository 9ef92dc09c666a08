import type { FindingName } from './codes.ts';
import { shown } from './path-rules.ts';

/** One `Name=value` of a unit file, in text order; a continued value keeps its backslashes and line breaks. */
export type UnitOption = {
  readonly section: string;
  readonly name: string;
  readonly value: string;
  /** One-based line of the unit's text. */
  readonly line: number;
};

/** A fault of a unit's text; `name` is a finding of the catalogue. */
export type UnitFault = {
  readonly name: FindingName;
  readonly message: string;
  /** One-based line of the unit's text. */
  readonly line: number;
};

/** A unit's text, read as far as it can be. */
export type UnitFile = {
  readonly sections: readonly string[];
  readonly options: readonly UnitOption[];
  readonly faults: readonly UnitFault[];
};

/** Bytes in a line at which readers of Ignition give up. */
const lineLimit = 2048;
/** A continued value may be long, but it is joined here only up to a bound that no real unit reaches. */
const maxContinuedLines = 10_000;
/** Faults reported of one text: a text with more is no unit at all. */
const maxFaults = 50;

/**
 * Reads the text of a systemd unit or drop-in (systemd.syntax). Stricter than systemd, which ignores what it
 * does not understand: text outside a section, a line without `=` and control characters are faults. As systemd
 * does, it accepts comment lines within a continued line.
 */
export function parseUnitFile(text: string): UnitFile {
  const reader = new UnitReader(text);
  reader.read();
  return { sections: reader.sections, options: reader.options, faults: reader.faults };
}

class UnitReader {
  readonly sections: string[] = [];
  readonly options: UnitOption[] = [];
  readonly faults: UnitFault[] = [];
  readonly #lines: readonly string[];
  #next = 0;
  #lastClosing: number | undefined;

  constructor(text: string) {
    const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.#lines = withoutMark.split('\n');
  }

  read(): void {
    this.#checkCharacters();
    this.#readPreamble();
    while (this.#next < this.#lines.length) this.#readLine();
  }

  /** Up to the first section everything is text that systemd ignores; a bracket anywhere begins a section. */
  #readPreamble(): void {
    let stray: number | undefined;
    for (; this.#next < this.#lines.length; this.#next += 1) {
      const line = this.#line();
      if (isComment(line)) {
        this.#skipComment();
        continue;
      }
      const bracket = line.indexOf('[');
      const before = bracket < 0 ? line : line.slice(0, bracket);
      if (before.trim() !== '') stray ??= this.#next;
      if (bracket < 0) continue;
      this.#fault('unit-text-before-section', 'text before the first section is ignored', stray);
      this.#readSection(line.slice(bracket));
      return;
    }
    this.#fault('unit-no-section', 'the text has no section such as [Service]', stray);
  }

  #readLine(): void {
    const line = this.#line();
    const start = line.trimStart();
    if (start === '') this.#next += 1;
    else if (isComment(line)) {
      this.#skipComment();
      this.#next += 1;
    } else if (start.startsWith('[')) this.#readSection(start);
    else this.#readOption(line);
  }

  #readSection(text: string): void {
    const header = this.#next;
    const end = text.indexOf(']');
    this.#next += 1;
    if (end < 0) {
      this.#readBrokenHeader(header);
      return;
    }
    const name = text.slice(1, end);
    this.sections.push(name);
    if (!/^[^\p{Cc}[\]]+$/u.test(name) || name.trim() === '') {
      this.#fault('unit-section-name', `${shown(name)} is no name of a section`, header);
    }
    const rest = text.slice(end + 1).trim();
    if (rest !== '') {
      this.#fault('unit-section-garbage', `${shown(rest)} follows the section header`, header);
    }
  }

  /** A header without `]` on its line: with one on a later line its name spans lines, else it never ends. */
  #readBrokenHeader(header: number): void {
    this.#lastClosing ??= this.#lines.findLastIndex((line) => line.includes(']'));
    if (this.#lastClosing >= this.#next)
      this.#fault('unit-section-name', 'the section header does not end on its line', header);
    else this.#fault('unit-section-unclosed', 'the section header has no closing bracket', header);
  }

  #readOption(line: string): void {
    const first = this.#next;
    const equals = line.search(/[=\r]/);
    if (equals < 0 || line[equals] === '\r') {
      this.#next += 1;
      const isLast = this.#next >= this.#lines.length && equals < 0;
      this.#fault(
        isLast ? 'unit-option-eof' : 'unit-option-newline',
        `${shown(line.trim())} has no "="`,
        first,
      );
      return;
    }
    const name = line.slice(0, equals).trim();
    if (name === '' || /\s/.test(name)) {
      this.#fault('unit-option-name', `${shown(name)} is no name of an option`, first);
    }
    const value = this.#readValue(line.slice(equals + 1));
    this.options.push({ section: this.sections.at(-1) ?? '', name, value, line: first + 1 });
  }

  /** The rest of the option's line and the lines that continue it. */
  #readValue(rest: string): string {
    const parts = [rest];
    this.#next += 1;
    while (parts.at(-1)?.endsWith('\\') === true && this.#next < this.#lines.length) {
      const line = this.#line();
      this.#next += 1;
      if (isComment(line)) continue;
      if (parts.length >= maxContinuedLines) break;
      parts.push(line);
    }
    const value = parts.join('\n').trimStart();
    // A final blank continuation keeps its line break, but not its spaces.
    const isBlankEnd = parts.length > 1 && parts.at(-1)?.trim() === '';
    return isBlankEnd ? `${parts.slice(0, -1).join('\n').trimStart()}\n` : value.trimEnd();
  }

  /** A comment that ends in a backslash swallows the next line for readers of Ignition, not for systemd. */
  #skipComment(): void {
    while (/\\ ?$/.test(this.#line()) && this.#next + 1 < this.#lines.length) {
      this.#fault('unit-comment-backslash', 'the comment ends in a backslash', this.#next);
      this.#next += 1;
    }
  }

  #checkCharacters(): void {
    const encoder = new TextEncoder();
    for (const [index, line] of this.#lines.entries()) {
      if (/[^\P{Cc}\t\r]/u.test(line)) {
        this.#fault('unit-control-character', 'the line contains a control character', index);
      }
      const mayBeLong = line.length * 3 >= lineLimit;
      if (mayBeLong && encoder.encode(line).length >= lineLimit) {
        this.#fault('unit-line-too-long', `the line has ${lineLimit} bytes or more`, index);
      }
    }
  }

  #line(): string {
    return this.#lines[this.#next] ?? '';
  }

  #fault(name: FindingName, message: string, index: number | undefined): void {
    if (index === undefined || this.faults.length >= maxFaults) return;
    this.faults.push({ name, message: `line ${index + 1}: ${message}`, line: index + 1 });
  }
}

function isComment(line: string): boolean {
  return /^\s*[#;]/.test(line);
}
