const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** RE2 spells some things differently: anchors `\A` `\z`, POSIX classes, `(?P<name>)`, leading flags. */
function translate(pattern: string): { readonly source: string; readonly flags: string } {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const source = (leading === null ? pattern : pattern.slice(leading[0].length))
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
    .replace(/\(\?P</g, '(?<')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$');
  return { source, flags: leading?.[1] ?? '' };
}

/**
 * A schema's `pattern` as a regular expression. Patterns come from CRD authors, who are administrators;
 * look-around and back references, which RE2 does not have, are refused.
 *
 * @throws SyntaxError when it is no regular expression.
 */
export function compilePattern(pattern: string): RegExp {
  if (/\(\?(?:[=!]|<[=!])/.test(pattern) || /(?:^|[^\\])(?:\\\\)*\\[1-9]/.test(pattern)) {
    throw new SyntaxError('invalid or unsupported Perl syntax');
  }
  const { source, flags } = translate(pattern);
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // RE2 allows escapes of punctuation, such as `\-`, that the strict mode of JavaScript does not.
    return new RegExp(source, flags);
  }
}
