/** `1.2 s` */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * Does the pieces of work in their order, `width` at a time.
 * @template Item, Result
 * @param {Item[]} items
 * @param {number} width
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>} in the order of the items
 */
export async function inLanes(items, width, work) {
  const results = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
