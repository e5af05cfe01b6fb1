/** The results for all items, in their order, of which up to `concurrency` are being made at once. */
export async function* mapAhead<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const started: Promise<Result>[] = []
  for (const item of items) {
    const result = map(item)
    // Whoever waits for it hears of a failure; until then, or when nobody does, it is not an unhandled one.
    result.catch(() => {})
    started.push(result)
    if (started.length >= concurrency) yield await started.shift()!
  }
  for (const result of started) yield await result
}
