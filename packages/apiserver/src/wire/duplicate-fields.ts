/** Where a scan is inside an object or array. */
type Frame = { readonly keys: Set<string> | undefined; index: number; key: string };

/** Nobody reads more, and a body can hold very many. */
const maxFound = 100;

function pathOf(frames: readonly Frame[]): string {
  return frames
    .map((frame) => (frame.keys === undefined ? `[${frame.index}]` : `.${frame.key}`))
    .join('')
    .replace(/^\./, '');
}

/** Index after the string that starts at `start`. */
function stringEnd(text: string, start: number): number {
  for (let index = start + 1; ; index += 1) {
    const letter = text[index];
    if (letter === '\\') index += 1;
    else if (letter === '"' || letter === undefined) return index + 1;
  }
}

function isKey(text: string, after: number): boolean {
  let index = after;
  while (' \t\r\n'.includes(text[index] ?? '_')) index += 1;
  return text[index] === ':';
}

function noteKey(text: string, start: number, frames: readonly Frame[], found: string[]): number {
  const end = stringEnd(text, start);
  const top = frames.at(-1);
  if (top?.keys === undefined || !isKey(text, end)) return end;
  top.key = JSON.parse(text.slice(start, end));
  if (top.keys.has(top.key) && found.length < maxFound) found.push(pathOf(frames));
  top.keys.add(top.key);
  return end;
}

/**
 * Paths of object keys that occur twice in JSON text that is known to be valid; JSON.parse hides them.
 * `spec.containers[0].name`. The first 100.
 */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const frames: Frame[] = [];
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]) {
      case '{':
        frames.push({ keys: new Set(), index: 0, key: '' });
        break;
      case '[':
        frames.push({ keys: undefined, index: 0, key: '' });
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',': {
        const top = frames.at(-1);
        if (top !== undefined) top.index += 1;
        break;
      }
      case '"':
        index = noteKey(text, index, frames, found) - 1;
        break;
      default:
    }
  }
  return found;
}
