import { shown } from './path-rules.ts';
import type { SourceRange } from './source-text.ts';
import type { SyntaxFault } from './syntax-fault.ts';
import type { ObjectMember, SyntaxNode } from './syntax-tree.ts';

export type JsonResult =
  | { readonly ok: true; readonly root: SyntaxNode }
  | { readonly ok: false; readonly fault: SyntaxFault };

/** Nesting that no document of ours has; the parser is recursive and must not leave the stack. */
const maxDepth = 256;
const int64Limit = 2n ** 63n;
const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** Everything but quotes, backslashes and control characters, in UTF-16 units. */
const plainCharacters = /[ !#-[\]-\uFFFF]*/y;

/** Parsing stops by throwing this inside the module; it never leaves it. */
class JsonStop extends Error {
  readonly fault: SyntaxFault;

  constructor(fault: SyntaxFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * Parses JSON (RFC 8259) into a tree that keeps what `JSON.parse` loses: ranges, duplicate keys and whether a
 * number was written as an integer.
 */
export function parseJson(text: string): JsonResult {
  const parser = new JsonParser(text);
  try {
    return { ok: true, root: parser.document() };
  } catch (error) {
    if (error instanceof JsonStop) return { ok: false, fault: error.fault };
    throw error;
  }
}

class JsonParser {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): SyntaxNode {
    const root = this.#value(0);
    this.#space();
    if (this.#offset < this.#text.length) this.#stop('something follows the document');
    return root;
  }

  #value(depth: number): SyntaxNode {
    this.#space();
    const start = this.#offset;
    switch (this.#text[start]) {
      case '{':
        return this.#object(start, depth);
      case '[':
        return this.#array(start, depth);
      case '"':
        return { kind: 'string', value: this.#string(), range: this.#from(start) };
      case 't':
      case 'f': {
        const value = this.#text[start] === 't';
        this.#word(value ? 'true' : 'false');
        return { kind: 'boolean', value, range: this.#from(start) };
      }
      case 'n':
        this.#word('null');
        return { kind: 'null', range: this.#from(start) };
      default:
        return this.#number(start);
    }
  }

  #object(start: number, depth: number): SyntaxNode {
    this.#enter(depth);
    const members: ObjectMember[] = [];
    this.#space();
    while (this.#text[this.#offset] !== '}') {
      const keyStart = this.#offset;
      if (this.#text[keyStart] !== '"') this.#stop(this.#unexpectedKey(keyStart));
      const key = this.#string();
      const range = this.#from(keyStart);
      this.#space();
      if (this.#text[this.#offset] !== ':') this.#stop('":" is expected after a key');
      this.#offset += 1;
      members.push({ key, range, value: this.#value(depth + 1) });
      this.#next('}');
    }
    this.#offset += 1;
    return { kind: 'object', members, range: this.#from(start) };
  }

  #array(start: number, depth: number): SyntaxNode {
    this.#enter(depth);
    const items: SyntaxNode[] = [];
    this.#space();
    while (this.#text[this.#offset] !== ']') {
      items.push(this.#value(depth + 1));
      this.#next(']');
    }
    this.#offset += 1;
    return { kind: 'array', items, range: this.#from(start) };
  }

  #enter(depth: number): void {
    if (depth >= maxDepth) this.#stop('the document is nested too deeply', 'too-deep');
    this.#offset += 1;
  }

  /** After an entry: a comma and another entry, or the closing bracket. */
  #next(closing: '}' | ']'): void {
    this.#space();
    const found = this.#text[this.#offset];
    if (found === closing) return;
    if (found !== ',') this.#stop(`"," or "${closing}" is expected here`);
    this.#offset += 1;
    this.#space();
    if (this.#text[this.#offset] === closing) {
      this.#stop(`JSON has no comma before "${closing}"`);
    }
  }

  #string(): string {
    this.#offset += 1;
    let value = '';
    for (;;) {
      const start = this.#offset;
      plainCharacters.lastIndex = start;
      plainCharacters.test(this.#text);
      this.#offset = plainCharacters.lastIndex;
      value += this.#text.slice(start, this.#offset);
      const character = this.#text[this.#offset];
      if (character === '"') {
        this.#offset += 1;
        return value;
      }
      if (character === '\\') value += this.#escape();
      else if (character === undefined) this.#stop('the text is not closed');
      else this.#stop('a line break or control character must be escaped in a text');
    }
  }

  #escape(): string {
    const escapes: Readonly<Record<string, string>> = {
      '"': '"',
      '\\': '\\',
      '/': '/',
      b: '\b',
      f: '\f',
      n: '\n',
      r: '\r',
      t: '\t',
    };
    const letter = this.#text[this.#offset + 1] ?? '';
    if (letter === 'u') {
      const digits = this.#text.slice(this.#offset + 2, this.#offset + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#stop('"\\u" needs four hexadecimal digits');
      this.#offset += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const value = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (value === undefined) return this.#stop(`"\\${letter}" is no escape of JSON`);
    this.#offset += 2;
    return value;
  }

  #number(start: number): SyntaxNode {
    numberPattern.lastIndex = start;
    const match = numberPattern.exec(this.#text);
    if (match === null) return this.#stop(this.#unexpected(start));
    this.#offset = numberPattern.lastIndex;
    if (/[0-9.]/.test(this.#text[this.#offset] ?? '')) {
      this.#stop('JSON numbers have no leading zeros', 'json-syntax', 'write 420 for octal 0644');
    }
    const range = this.#from(start);
    const [spelt, fraction, exponent] = match;
    const value = Number(spelt);
    const isInteger = fraction === undefined && exponent === undefined && isInt64(spelt);
    return { kind: isInteger ? 'integer' : 'number', value: value === 0 ? 0 : value, range };
  }

  #unexpected(start: number): string {
    const character = this.#text[start];
    if (character === undefined) return 'the document ends too early';
    if (character === '\uFEFF') return 'JSON does not begin with a byte order mark';
    if (character === '/' || character === '#') return 'JSON has no comments';
    if (character === "'") return 'JSON texts are in double quotes';
    return `a value is expected here, but there is ${shown(character)}`;
  }

  #unexpectedKey(start: number): string {
    const isComment = /[/#]/.test(this.#text[start] ?? '');
    return isComment ? 'JSON has no comments' : 'a key in double quotes is expected here';
  }

  #word(word: string): void {
    if (!this.#text.startsWith(word, this.#offset)) {
      this.#stop('a value is expected here: a text is in double quotes');
    }
    this.#offset += word.length;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#offset += 1;
    }
  }

  #from(start: number): SourceRange {
    return { start, end: this.#offset };
  }

  #stop(message: string, name: SyntaxFault['name'] = 'json-syntax', hint?: string): never {
    const isEnd = this.#offset >= this.#text.length;
    throw new JsonStop({
      name,
      message: isEnd ? 'the document ends too early' : message,
      offset: this.#offset,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

function isInt64(spelt: string): boolean {
  if (spelt.length <= 16) return true;
  const value = BigInt(spelt);
  return value < int64Limit && value >= -int64Limit;
}
