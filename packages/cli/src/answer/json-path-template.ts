import { compileJsonPath } from '@slipway/api';

/** Text of a template, from the values that it is given. */
type Part = (value: unknown, given: Given) => string;

/** What holds for the whole template: the object that it was made for, and what a missing key is. */
type Given = { readonly object: unknown; readonly allowMissing: boolean };

export type JsonPathTemplate = {
  /** @throws SyntaxError for a key that is not there, unless `allowMissing` */
  readonly text: (object: unknown, allowMissing: boolean) => string;
  /** What each path of the template finds, without its text. */
  readonly values: (object: unknown) => readonly (readonly unknown[])[];
};

/**
 * Compiles a template of kubectl's JSONPath: text, `{.path}`, `{"text"}` and `{range .path}…{end}`, which
 * may be left open at the end as with kubectl.
 * @throws SyntaxError for what it does not know
 */
export function compileJsonPathTemplate(template: string): JsonPathTemplate {
  const tokens = tokensOf(template);
  const { parts, rest } = sequence(tokens);
  if (rest.length > 0) throw new SyntaxError('nothing to end: there is no range');
  const paths = tokens.flatMap((token) =>
    token.kind === 'path' ? compileJsonPath(token.text) : [],
  );
  return {
    text: (object, allowMissing) => join(parts, object, { object, allowMissing }),
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
function sequence(tokens: readonly Token[]): {
  readonly parts: readonly Part[];
  readonly rest: readonly Token[];
} {
  const parts: Part[] = [];
  let rest = tokens;
  while (rest[0] !== undefined && rest[0].kind !== 'end') {
    const [token, ...others] = rest;
    rest = others;
    if (token.kind === 'text') parts.push(() => token.text);
    else if (token.kind === 'path') parts.push(pathPart(token.text));
    else {
      const inner = sequence(others);
      parts.push(rangePart(token.text, inner.parts));
      rest = inner.rest.slice(1);
    }
  }
  return { parts, rest };
}

function pathPart(path: string): Part {
  const find = compileJsonPath(path);
  return (value, given) => demand(find(value), path, given).map(asText).join(' ');
}

function rangePart(path: string, parts: readonly Part[]): Part {
  const find = compileJsonPath(path);
  return (value, given) =>
    demand(find(value), path, given)
      .flatMap((found) => (Array.isArray(found) ? found : [found]))
      .map((item) => join(parts, item, given))
      .join('');
}

function demand(
  found: readonly unknown[],
  path: string,
  { allowMissing }: Given,
): readonly unknown[] {
  // A filter that nothing passes and an empty list are no missing keys.
  if (found.length > 0 || allowMissing || /\*|\?|:/.test(path)) return found;
  throw new SyntaxError(`${path} is not found`);
}

function join(parts: readonly Part[], value: unknown, given: Given): string {
  return parts.map((part) => part(value, given)).join('');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
