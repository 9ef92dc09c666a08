import { isJsonObject } from '@slipway/base';

/** Keys that every object inherits and that the patch library treats in its own way. */
const refused = ['__proto__', 'constructor', 'prototype'];
const arrayIndex = /^(0|[1-9]\d*)$/;

function tokensOf(pointer: string): readonly string[] {
  const [root, ...tokens] = pointer.split('/');
  if (root !== '') throw new SyntaxError(`invalid JSON pointer ${JSON.stringify(pointer)}`);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The member itself, never what is inherited: undefined when there is none. */
function memberOf(parent: unknown, token: string): unknown {
  if (refused.includes(token)) return undefined;
  if (Array.isArray(parent)) return arrayIndex.test(token) ? parent[Number(token)] : undefined;
  return isJsonObject(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

/** The value that a pointer names; throws SyntaxError when there is none. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of tokensOf(pointer)) {
    value = memberOf(value, token);
    if (value === undefined) throw new SyntaxError(`missing path ${JSON.stringify(pointer)}`);
  }
  return value;
}

/** Throws SyntaxError unless a value can be added where the pointer names. */
export function checkPlace(document: unknown, pointer: string): void {
  const last = tokensOf(pointer).at(-1);
  if (last === undefined) return;
  const parent = resolvePointer(document, pointer.slice(0, pointer.lastIndexOf('/')));
  const fits = Array.isArray(parent)
    ? last === '-' || (arrayIndex.test(last) && Number(last) <= parent.length)
    : isJsonObject(parent) && !refused.includes(last);
  if (!fits) throw new SyntaxError(`unable to access invalid path ${JSON.stringify(pointer)}`);
}
