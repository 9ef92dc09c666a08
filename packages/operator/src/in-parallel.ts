/** Runs `work` over all items, at most `limit` at once; results keep the order. The first failure is thrown. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return items.flatMap((_, index) => {
    const result = results.get(index);
    return result === undefined ? [] : [result];
  });
}
