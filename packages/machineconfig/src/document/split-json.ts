/** One value of a text that has several, and where it begins. */
export type JsonPart = { readonly text: string; readonly start: number };

const token = /"(?:[^"\\\n]|\\.)*"|[[\]{}]/g;

/**
 * The values of a JSON text that has more than one after another, as `jq` and log writers make them.
 * Looks at brackets only; whether each part is JSON is for the parser to say.
 */
export function splitJson(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '{' || found === '[') depth += 1;
    if (found === '}' || found === ']') depth -= 1;
    if (depth !== 0 || found.startsWith('"')) continue;
    parts.push({ text: text.slice(start, index + 1), start });
    start = index + 1;
  }
  if (text.slice(start).trim() !== '' || parts.length === 0)
    parts.push({ text: text.slice(start), start });
  return parts;
}
