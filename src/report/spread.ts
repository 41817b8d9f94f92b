/** Places at least `gap` apart and inside [0, most], each as near to its wish as its neighbours let it. */
export function spread(wishes: readonly number[], gap: number, most: number): number[] {
  const order = wishes.map((wish, index) => ({ wish, index })).sort((a, b) => a.wish - b.wish);
  const placed: number[] = [];
  for (const { wish } of order) placed.push(Math.max(wish, (placed.at(-1) ?? -Infinity) + gap));
  let limit = most;
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] ?? 0, limit);
    limit = (placed[index] ?? 0) - gap;
  }
  const result = wishes.map(() => 0);
  order.forEach(({ index }, place) => {
    result[index] = placed[place] ?? 0;
  });
  return result;
}
