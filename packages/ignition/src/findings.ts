import type { Issue, Severity } from '@slipway/base';
import { briefFix, codeOf, entryOf, type FindingName } from './codes.ts';
import type { SourcePosition, SourceRange, SourceText } from './source-text.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** A value with its JSON path in the document. */
export type Placed<Node extends SyntaxNode = SyntaxNode> = {
  readonly node: Node;
  readonly path: string;
};

/** Where a finding is: a path and, where the text is known, a range of it. */
export type Place = {
  readonly path: string;
  readonly range?: SourceRange | undefined;
  /** The range is that of the object in which something is missing. */
  readonly isInside?: boolean;
};

/** What a finding says beyond its catalogue entry. */
export type FindingText = {
  /** Lower case, without the path. */
  readonly message: string;
  /** Default: the first sentence of the catalogue's fix. */
  readonly hint?: string | undefined;
  /** Overrides the severity of the catalogue. */
  readonly severity?: Severity;
  /** UTF-16 offset within the text of the value, where the fault is known more precisely. */
  readonly offset?: number;
  /** One-based line within the text of the value, for texts of several lines. */
  readonly lineWithin?: number;
};

/** A finding that a rule made, before it has a place. */
export type NamedFinding = FindingText & { readonly name: FindingName };

/** Collects the findings of one document. */
export class Findings {
  readonly #issues: Issue[] = [];
  readonly #source: SourceText | undefined;

  constructor(source: SourceText | undefined) {
    this.#source = source;
  }

  /** Records a finding at a value or place. */
  add(name: FindingName, place: Place | Placed, text: FindingText): void {
    const range = 'node' in place ? place.node.range : place.range;
    const isInside = 'node' in place ? false : (place.isInside ?? false);
    const position = isInside
      ? this.#inside(range)
      : (this.#lineWithin(range, text.lineWithin) ?? this.#position(range, text.offset ?? 0));
    this.#issues.push({
      code: codeOf(name),
      severity: text.severity ?? entryOf(name).severity,
      path: place.path,
      ...position,
      message: text.message,
      hint: text.hint ?? briefFix(name),
    });
  }

  /** All findings, in the order of the text where it is known. */
  issues(): readonly Issue[] {
    if (this.#source === undefined) return this.#issues;
    return this.#issues.toSorted(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
  }

  /** True when nothing that refuses the document was found. */
  isAccepted(): boolean {
    return this.#issues.every((issue) => issue.severity !== 'error');
  }

  /** Just after an opening bracket, where there is one: a YAML block has none. */
  #inside(range: SourceRange | undefined): SourcePosition | undefined {
    if (range === undefined || this.#source === undefined) return undefined;
    const hasBracket = this.#source.text[range.start] === '{';
    return this.#source.positionAt(range.start + (hasBracket ? 1 : 0));
  }

  /** Position of a line of a YAML block (`|`): its lines follow the header as they are written. */
  #lineWithin(
    range: SourceRange | undefined,
    line: number | undefined,
  ): SourcePosition | undefined {
    const source = this.#source;
    if (range === undefined || source === undefined || line === undefined) return undefined;
    if (source.text[range.start] !== '|') return undefined;
    const target = source.positionAt(range.start).line + line;
    return { line: target, column: Math.max(1, source.lineAt(target).search(/\S/) + 1) };
  }

  #position(range: SourceRange | undefined, offset: number): SourcePosition | undefined {
    if (range === undefined || this.#source === undefined) return undefined;
    const { text } = this.#source;
    const quote = text[range.start] === '"' || text[range.start] === "'" ? 1 : 0;
    // A precise offset only makes sense while the value is written as it reads: without escapes, on one line.
    const isPrecise = offset > 0 && range.start + quote + offset < range.end;
    const raw = isPrecise ? text.slice(range.start, range.start + quote + offset) : '';
    const start = isPrecise && !/[\\\n]/.test(raw) ? range.start + quote + offset : range.start;
    return this.#source.positionAt(start);
  }
}

/** The place of a member that `parent` lacks: just inside its opening bracket, where it could be added. */
export function missingIn(parent: Placed, name: string): Place {
  const path = memberPath(parent.path, name);
  const { range } = parent.node;
  return { path, range, isInside: true };
}

/** JSON path of a member, with brackets where its key is no plain name. */
export function memberPath(parent: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** JSON path of a list entry. */
export function itemPath(parent: string, index: number): string {
  return `${parent}[${index}]`;
}
