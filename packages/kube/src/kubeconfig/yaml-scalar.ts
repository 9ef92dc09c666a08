/** Where reading stopped, zero-based within the text, and why. */
export class YamlSyntaxError extends Error {
  readonly column: number;

  constructor(column: number, message: string) {
    super(message);
    this.name = 'YamlSyntaxError';
    this.column = column;
  }
}

const constants = new Map<string, boolean | null>([
  ['', null],
  ['~', null],
  ['null', null],
  ['true', true],
  ['false', false],
]);

/** Signs that begin what this reader does not know: anchors, tags, block text, flow collections, directives. */
const refused = /^(?:[&*!|>%@`{}[\],]|[?-](?:\s|$))/;

/** Reads a value that takes the rest of a line; only a comment may follow. Numbers stay text. */
export function readScalar(text: string): string | boolean | null {
  if (/^["']/.test(text)) {
    const { value, end } = readQuoted(text);
    if (!/^\s*(?:\s#.*)?$/.test(text.slice(end))) {
      throw new YamlSyntaxError(end, 'something follows a quoted value');
    }
    return value;
  }
  if (refused.test(text))
    throw new YamlSyntaxError(0, `a value cannot begin with ${text.charAt(0)}`);
  const plain = text.replace(/(?:^|\s)#.*$/, '').trimEnd();
  const nested = plain.search(/:(?:\s|$)/);
  if (nested !== -1) throw new YamlSyntaxError(nested, 'a value holds a colon and is not quoted');
  const constant = constants.get(plain);
  return constant === undefined ? plain : constant;
}

/** Reads `key:` at the start of a text; undefined when the text is no such thing. */
export function readKey(text: string): { readonly key: string; readonly end: number } | undefined {
  if (/^["']/.test(text)) {
    const { value, end } = readQuoted(text);
    const colon = /^\s*:(?=\s|$)/.exec(text.slice(end));
    return colon === null ? undefined : { key: value, end: end + colon[0].length };
  }
  if (refused.test(text)) return undefined;
  const colon = /^[^#]*?:(?=\s|$)/.exec(text);
  if (colon === null) return undefined;
  return { key: colon[0].slice(0, -1).trimEnd(), end: colon[0].length };
}

function readQuoted(text: string): { readonly value: string; readonly end: number } {
  const pattern = text.startsWith('"') ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/;
  const match = pattern.exec(text);
  if (match === null) throw new YamlSyntaxError(0, 'a quoted value does not end on its line');
  const [quoted] = match;
  if (quoted.startsWith("'")) {
    return { value: quoted.slice(1, -1).replaceAll("''", "'"), end: quoted.length };
  }
  try {
    return { value: JSON.parse(quoted), end: quoted.length };
  } catch {
    // The escapes that YAML has beyond JSON are not written by any tool that writes kubeconfigs.
    throw new YamlSyntaxError(0, 'a quoted value has an unknown escape');
  }
}
