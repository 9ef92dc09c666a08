import { namesPrototype } from '@slipway/base';

/** Deeper JSON would not fit the call stack of what walks it. No Kubernetes object comes near. */
const maxDepth = 1000;

/** Index of the quote that ends the string that starts at `start`, or the end of the text. */
function closingQuote(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

function checkDepth(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (letter === '"') index = closingQuote(text, index);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (depth > maxDepth) throw new SyntaxError(`exceeded max depth of ${maxDepth}`);
  }
}

/**
 * JSON from outside. Throws SyntaxError for what is none, for nesting beyond 1000 levels, and for a key
 * `__proto__`: copies of such an object would lose it, or take on what it says.
 */
export function parseJson(text: string): unknown {
  checkDepth(text);
  const value: unknown = JSON.parse(text);
  if (/__proto__|\\u005f/i.test(text) && namesPrototype(value)) {
    throw new SyntaxError('field name "__proto__" is not supported');
  }
  return value;
}
