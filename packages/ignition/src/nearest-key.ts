/** The candidate that `word` was probably meant to be; `undefined` when none is near. */
export function nearestKey(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === lower);
  if (same !== undefined || word.length > 64) return same;
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    const distance = editDistance(plain(word), plain(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Snake case and kebab case count as the camel case that they are written for. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that make `a` into `b`. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      const isSwap = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
