import { isDeepStrictEqual } from 'node:util';
import type { Pieces } from './recording.ts';

/** One place where two recordings are not the same. */
export type Mismatch = {
  readonly piece: string;
  /** Path inside the piece: `content.spec.priority`. */
  readonly path: string;
  readonly want: unknown;
  readonly got: unknown;
};

/** Every place where `got` is not `want`, piece by piece. */
export function mismatches(want: Pieces, got: Pieces): readonly Mismatch[] {
  return [...new Set([...Object.keys(want), ...Object.keys(got)])]
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((piece) =>
      unequalPlaces(want[piece], got[piece], '').map((place) => ({ piece, ...place })),
    );
}

function unequalPlaces(
  want: unknown,
  got: unknown,
  path: string,
): readonly Omit<Mismatch, 'piece'>[] {
  if (isDeepStrictEqual(want, got)) return [];
  const [wanted, found] = [childrenOf(want), childrenOf(got)];
  if (wanted === undefined || found === undefined || Array.isArray(want) !== Array.isArray(got))
    return [{ path, want, got }];
  return [...new Set([...Object.keys(wanted), ...Object.keys(found)])].flatMap((key) =>
    unequalPlaces(wanted[key], found[key], path === '' ? key : `${path}.${key}`),
  );
}

function childrenOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** For a person: one line, cut. */
export function describeMismatch({ piece, path, want, got }: Mismatch): string {
  return `${piece}${path === '' ? '' : ` at ${path}`}: want ${short(want)}, got ${short(got)}`;
}

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
