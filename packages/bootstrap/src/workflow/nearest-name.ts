/** The name that `word` was most likely meant to be; undefined when none is near. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  // A third of the letters may be wrong; a part of a longer name is near as well.
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = names
    .map((name) => ({ name, distance: distanceTo(word, name) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= limit ? best.name : undefined;
}

/** Of `certs/ca` the last part alone is compared too: a forgotten parent is the usual mistake. */
function distanceTo(word: string, name: string): number {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const forgotten = last === name ? Number.POSITIVE_INFINITY : editDistance(word, last) + 1;
  return Math.min(editDistance(word, name), forgotten);
}

/** Letters to add, drop or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
