import { UserError } from '@slipway/base';
import { readKey, readScalar, YamlSyntaxError } from './yaml-scalar.ts';

/** What a kubeconfig is made of. Numbers stay text. */
export type PlainValue =
  | string
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

type Line = { readonly number: number; readonly indent: number; readonly text: string };

/**
 * Reads the part of YAML in which kubeconfigs are written: one document of block maps and lists, with
 * plain and quoted scalars on one line, empty `{}` and `[]`, and comments. Anything else is refused with
 * line and column rather than guessed; `source` names the text in errors. Throws UserError.
 */
export function parseYamlSubset(text: string, source: string): PlainValue {
  const reader = new SubsetReader(splitLines(text, source), source);
  return reader.document();
}

function splitLines(text: string, source: string): Line[] {
  const lines: Line[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const indent = raw.length - raw.trimStart().length;
    const line = { number: index + 1, indent, text: raw.trim() };
    if (line.text === '' || line.text.startsWith('#')) continue;
    if (line.text === '---' && lines.length === 0) continue;
    if (raw.slice(0, indent).includes('\t'))
      throw refuse(source, line, 0, 'a tab indents the line');
    lines.push(line);
  }
  return lines;
}

function refuse(source: string, line: Line, column: number, message: string): UserError {
  const position = `${line.number}:${line.indent + column + 1}`;
  return new UserError(`read ${source}: ${position}: ${message}`, { code: 'kube.bad-kubeconfig' });
}

class SubsetReader {
  readonly #lines: Line[];
  readonly #source: string;
  #next = 0;

  constructor(lines: Line[], source: string) {
    this.#lines = lines;
    this.#source = source;
  }

  document(): PlainValue {
    const [first] = this.#lines;
    if (first === undefined) return null;
    const value = this.#block(first.indent);
    const rest = this.#lines[this.#next];
    if (rest !== undefined) throw refuse(this.#source, rest, 0, 'the line fits no level above it');
    return value;
  }

  /** The lines from here that are indented by `indent`, as a list or a map. */
  #block(indent: number): PlainValue {
    const line = this.#lines[this.#next];
    return line !== undefined && isItem(line) ? this.#list(indent) : this.#map(indent);
  }

  #list(indent: number): readonly PlainValue[] {
    const items: PlainValue[] = [];
    for (let line = this.#at(indent); line !== undefined && isItem(line); line = this.#at(indent)) {
      const offset = line.text.length - line.text.slice(1).trimStart().length;
      const inner = { ...line, indent: indent + offset, text: line.text.slice(offset) };
      if (inner.text === '' || inner.text.startsWith('#')) {
        this.#next += 1;
        items.push(this.#nested(indent, false));
      } else if (isItem(inner) || this.#key(inner) !== undefined) {
        // `- key: value` begins a map whose first line is shared with the dash.
        this.#lines[this.#next] = inner;
        items.push(this.#block(inner.indent));
      } else {
        this.#next += 1;
        items.push(this.#scalar(inner, 0));
      }
    }
    return items;
  }

  #map(indent: number): { readonly [key: string]: PlainValue } {
    const members = new Map<string, PlainValue>();
    for (
      let line = this.#at(indent);
      line !== undefined && !isItem(line);
      line = this.#at(indent)
    ) {
      const found = this.#key(line);
      if (found === undefined) throw refuse(this.#source, line, 0, 'this is not `key: value`');
      if (members.has(found.key)) {
        throw refuse(this.#source, line, 0, `the key ${found.key} appears a second time`);
      }
      this.#next += 1;
      const rest = line.text.slice(found.end);
      const isBare = /^\s*(?:\s#.*)?$/.test(rest);
      members.set(found.key, isBare ? this.#nested(indent, true) : this.#scalar(line, found.end));
    }
    return Object.fromEntries(members);
  }

  /** What is indented deeper than `indent`; a list under a key may stand at the key's own level. */
  #nested(indent: number, underKey: boolean): PlainValue {
    const line = this.#lines[this.#next];
    if (line === undefined) return null;
    if (line.indent > indent || (underKey && line.indent === indent && isItem(line))) {
      return this.#block(line.indent);
    }
    return null;
  }

  /** The next line if it is of this level; a deeper one has no parent. */
  #at(indent: number): Line | undefined {
    const line = this.#lines[this.#next];
    if (line === undefined || line.indent < indent) return undefined;
    if (line.indent > indent) throw refuse(this.#source, line, 0, 'the line is indented too deep');
    return line;
  }

  #key(line: Line): ReturnType<typeof readKey> {
    return this.#positioned(line, 0, () => readKey(line.text));
  }

  #scalar(line: Line, from: number): PlainValue {
    const text = line.text.slice(from);
    const start = from + text.length - text.trimStart().length;
    const value = line.text.slice(start);
    if (/^\{\s*\}(?:\s+#.*)?$/.test(value)) return {};
    if (/^\[\s*\](?:\s+#.*)?$/.test(value)) return [];
    return this.#positioned(line, start, () => readScalar(value));
  }

  #positioned<R>(line: Line, start: number, read: () => R): R {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof YamlSyntaxError)) throw error;
      throw refuse(this.#source, line, start + error.column, error.message);
    }
  }
}

function isItem(line: Line): boolean {
  return line.text === '-' || /^-\s/.test(line.text);
}
