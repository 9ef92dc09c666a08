/** One value of a TOML document with the tables it is in. */
export type TomlEntry = {
  /** `['plugins', 'io.containerd.grpc.v1.cri', 'sandbox_image']`. */
  readonly path: readonly string[];
  /** Text without its quotes, any other scalar as written; undefined: the table is opened here. */
  readonly value?: string;
};

/**
 * The scalars of a TOML document in their order; those of an array stand one after the other at the path
 * of the array. What is not TOML is skipped to the end of its line: the runtime itself refuses such a file.
 * Source: https://toml.io/en/v1.0.0.
 */
export function tomlEntries(text: string): readonly TomlEntry[] {
  return new TomlReader(text).document();
}

const bareKey = /[A-Za-z0-9_-]+/y;
const word = /[^\s,\]}#]+/y;
const blank = /[ \t]+/y;
const blankLines = /(?:\s|#[^\n]*)+/y;
const restOfLine = /[^\n]*/y;
const basicText = /"(?:[^"\\\n]|\\.)*"/y;
const literalText = /'[^'\n]*'/y;
const longText = /"""(?:\\[\s\S]|[^\\])*?"""|'''[\s\S]*?'''/y;

/** Of arrays and tables in each other; no file of a runtime comes near. */
const deepest = 64;

class TomlReader {
  readonly #text: string;
  readonly #entries: TomlEntry[] = [];
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): readonly TomlEntry[] {
    let table: readonly string[] = [];
    for (;;) {
      this.#take(blankLines);
      if (this.#position >= this.#text.length) return this.#entries;
      if (this.#takeSign('[')) {
        this.#takeSign('[');
        table = this.#key();
        this.#entries.push({ path: table });
      } else {
        this.#pair(table);
      }
      this.#take(restOfLine);
    }
  }

  #pair(table: readonly string[]): void {
    const key = this.#key();
    if (key.length > 0 && this.#takeSign('=')) this.#value([...table, ...key]);
  }

  #key(): readonly string[] {
    const parts: string[] = [];
    do {
      this.#take(blank);
      const part = this.#quoted() ?? this.#take(bareKey);
      if (part === undefined) return parts;
      parts.push(part);
    } while (this.#takeSign('.'));
    return parts;
  }

  #value(path: readonly string[]): void {
    this.#take(blank);
    if (this.#takeSign('[')) this.#members(']', () => this.#value(path));
    else if (this.#takeSign('{')) this.#members('}', () => this.#pair(path));
    else this.#scalar(path);
  }

  #scalar(path: readonly string[]): void {
    const value = this.#quoted() ?? this.#take(word);
    if (value !== undefined) this.#entries.push({ path, value });
  }

  #members(end: string, member: () => void): void {
    if (this.#depth === deepest) return;
    this.#depth += 1;
    this.#membersUntil(end, member);
    this.#depth -= 1;
  }

  #membersUntil(end: string, member: () => void): void {
    for (;;) {
      this.#take(blankLines);
      const before = this.#position;
      if (this.#takeSign(end)) return;
      if (!this.#takeSign(',')) member();
      // Neither a member nor the end.
      if (this.#position === before) return;
    }
  }

  #quoted(): string | undefined {
    const long = this.#take(longText);
    if (long !== undefined) return long.slice(3, -3).replace(/^\n/, '');
    const literal = this.#take(literalText);
    if (literal !== undefined) return literal.slice(1, -1);
    const basic = this.#take(basicText);
    return basic === undefined ? undefined : unescapeText(basic);
  }

  #takeSign(sign: string): boolean {
    this.#take(blank);
    if (this.#text[this.#position] !== sign) return false;
    this.#position += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#position += found.length;
    return found;
  }
}

/** Escapes are those of JSON but for `\U` and `\e`, which no path and no image has. */
function unescapeText(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
