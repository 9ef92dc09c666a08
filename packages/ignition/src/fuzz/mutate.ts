import type { Random } from './random.ts';

/** Pieces that readers treat specially. */
const pieces = [
  ...['"', '\\', '\\u0000', '\n', '\r', '\t', '\0', ' ', '{', '}', '[', ']', ':', ',', '#', ';'],
  ...['=', '%', '%00', '%zz', '&a', '*a', '<<: *a', '---', '...', '|', '>-', '- ', '? ', '!!int '],
  ...['null', 'true', 'yes', '0', '-1', '0644', '0o644', '1e9', '.inf', '99999999999999999999'],
  ...['"path":', '"name":', '"mode":', '"user":', '__proto__', 'constructor', 'data:', '/etc/'],
  ...['[Install]', '\uFEFF', '\uD800', 'é', '../', '//', '@', '.service', 'sha256-', 'gzip'],
];

const maxLength = 20_000;

/** Applies a few random changes to the bytes of `text`; some bring in a part of `other`. */
export function mutate(text: string, other: string, random: Random): string {
  let mutated = text;
  for (let change = random.below(4); change >= 0; change -= 1) {
    mutated = mutateOnce(mutated, other, random);
  }
  return mutated.slice(0, maxLength);
}

function mutateOnce(text: string, other: string, random: Random): string {
  const start = random.below(text.length + 1);
  const end = Math.min(text.length, start + 1 + random.below(8));
  const before = text.slice(0, start);
  switch (random.below(7)) {
    case 0:
      return flipBit(text, random);
    case 1:
      return before + text.slice(end);
    case 2:
      return before + random.pick(pieces) + text.slice(start);
    case 3:
      return before + random.pick(pieces) + text.slice(end);
    case 4:
      return before + text.slice(start, end).repeat(1 + random.below(40)) + text.slice(end);
    case 5: {
      const from = random.below(other.length + 1);
      return before + other.slice(from, from + random.below(40)) + text.slice(end);
    }
    default:
      return before;
  }
}

/** Changes one bit of the UTF-8 bytes, as a damaged file would have it. */
function flipBit(text: string, random: Random): string {
  const bytes = new TextEncoder().encode(text);
  const index = random.below(bytes.length);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << random.below(8));
  return new TextDecoder().decode(bytes);
}
