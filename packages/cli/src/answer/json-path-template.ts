import { compileJsonPath, type JsonPath, type JsonPathDemands } from '@slipway/api';

/** Text of a part of a template, from the value that it is given. */
type Part = (value: unknown) => string;

export type JsonPathTemplate = {
  /** @throws SyntaxError for an index outside of a list, and for a key that is demanded and not there */
  readonly text: (object: unknown) => string;
  /** What each path of the template finds, without its text. @throws as `text` */
  readonly values: (object: unknown) => readonly (readonly unknown[])[];
};

/**
 * Compiles a template of kubectl's JSONPath: text, `{.path}`, `{"text"}` and `{range .path}…{end}`, which
 * may be left open at the end as with kubectl. With `keys`, keys that it names have to be there.
 * @throws SyntaxError for what it does not know
 */
export function compileJsonPathTemplate(
  template: string,
  { keys }: { readonly keys: boolean },
): JsonPathTemplate {
  const tokens = tokensOf(template);
  const demands = { keys, indices: true };
  const { parts, rest } = sequence(tokens, demands);
  if (rest.length > 0) throw new SyntaxError('nothing to end: there is no range');
  const paths = tokens.flatMap((token) =>
    token.kind === 'path' ? compileJsonPath(token.text, demands) : [],
  );
  return {
    text: (object) => join(parts, object),
    values: (object) => paths.map((path) => path(object)),
  };
}

type Token = { readonly kind: 'text' | 'path' | 'range' | 'end'; readonly text: string };

function tokensOf(template: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of template.matchAll(/\{((?:[^{}'"]|'(?:\\.|[^'])*'|"(?:\\.|[^"])*")*)\}/g)) {
    tokens.push({ kind: 'text', text: plain(template.slice(at, match.index)) });
    tokens.push(action((match[1] ?? '').trim()));
    at = match.index + match[0].length;
  }
  tokens.push({ kind: 'text', text: plain(template.slice(at)) });
  return tokens;
}

function plain(text: string): string {
  if (text.includes('{')) throw new SyntaxError(`unclosed action ${text.slice(text.indexOf('{'))}`);
  return text;
}

function action(text: string): Token {
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted !== null) return { kind: 'text', text: unescaped(quoted[2] ?? '') };
  if (text === 'end') return { kind: 'end', text };
  const [, range, path = ''] = /^(range\s+)?(.*)$/s.exec(text) ?? [];
  return { kind: range === undefined ? 'path' : 'range', text: steps(path.trim()) };
}

/** A path as `compileJsonPath` takes it: without the `$` or `@` it begins with. */
function steps(path: string): string {
  const rest = path.replace(/^[$@]/, '');
  if (rest === '' || rest === '.') return '';
  if (/^[.[]/.test(rest)) return rest;
  throw new SyntaxError(`unrecognized identifier ${rest}; a path begins with a dot`);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}

/** Parts up to the `{end}` of an open range, or to the end of the template. */
function sequence(
  tokens: readonly Token[],
  demands: JsonPathDemands,
): { readonly parts: readonly Part[]; readonly rest: readonly Token[] } {
  const parts: Part[] = [];
  let rest = tokens;
  while (rest[0] !== undefined && rest[0].kind !== 'end') {
    const [token, ...others] = rest;
    rest = others;
    if (token.kind === 'text') parts.push(() => token.text);
    else if (token.kind === 'path') parts.push(pathPart(compileJsonPath(token.text, demands)));
    else {
      const inner = sequence(others, demands);
      parts.push(rangePart(compileJsonPath(token.text, demands), inner.parts));
      rest = inner.rest.slice(1);
    }
  }
  return { parts, rest };
}

function pathPart(find: JsonPath): Part {
  return (value) => find(value).map(asText).join(' ');
}

function rangePart(find: JsonPath, parts: readonly Part[]): Part {
  return (value) =>
    find(value)
      .map((item) => join(parts, item))
      .join('');
}

function join(parts: readonly Part[], value: unknown): string {
  return parts.map((part) => part(value)).join('');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
