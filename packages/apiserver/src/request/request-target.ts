/** The request target of a message: what is asked for, and how. */
export type RequestTarget = { readonly path: string; readonly query: URLSearchParams };

/**
 * Splits a request target. Anybody may send anything here, so nothing is resolved or repaired: `//` and
 * `..` stay what they are, and a target that is no path (RFC 9112 §3.2: absolute form, `*`) is kept
 * without its authority, or whole.
 */
export function parseRequestTarget(text: string): RequestTarget {
  const [whole = ''] = text.split('#', 1);
  const mark = whole.indexOf('?');
  const before = mark < 0 ? whole : whole.slice(0, mark);
  const path = before.replace(/^https?:\/\/[^/]*/i, '');
  return {
    path: path === '' ? '/' : path,
    query: new URLSearchParams(mark < 0 ? '' : whole.slice(mark + 1)),
  };
}
