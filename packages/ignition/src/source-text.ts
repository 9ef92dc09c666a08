/** Half-open range of UTF-16 offsets in a text. */
export type SourceRange = { readonly start: number; readonly end: number };

/** One-based line and column; columns count UTF-16 units, as editors do. */
export type SourcePosition = { readonly line: number; readonly column: number };

/** A text with its lines indexed on first use, so that offsets become positions in logarithmic time. */
export class SourceText {
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Position of `offset`; an offset past the end is the position after the last character. */
  positionAt(offset: number): SourcePosition {
    const starts = this.#starts();
    const bounded = Math.max(0, Math.min(offset, this.text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= bounded) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: bounded - (starts[low] ?? 0) + 1 };
  }

  /** Text of a one-based line without its line break; empty outside the text. */
  lineAt(line: number): string {
    const starts = this.#starts();
    const start = starts[line - 1];
    if (start === undefined) return '';
    const next = starts[line];
    const end = next === undefined ? this.text.length : next - 1;
    return this.text.slice(start, this.text[end - 1] === '\r' ? end - 1 : end);
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      let next = this.text.indexOf('\n');
      while (next >= 0) {
        starts.push(next + 1);
        next = this.text.indexOf('\n', next + 1);
      }
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}
