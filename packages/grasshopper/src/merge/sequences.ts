/** How to merge lists of keys, each without repetitions. */

/**
 * Returns the keys of both lists that are in `kept`, in the order of the first. Keys of the second list alone follow
 * the key before them there, and the keys that the first list alone has after that key.
 */
export function mergeOrder(
  first: readonly string[],
  second: readonly string[],
  kept: ReadonlySet<string>,
): string[] {
  const [inFirst, inSecond] = [new Set(first), new Set(second)]
  /** The keys that the second list alone has after a shared key, or at the start. */
  const after = new Map<string | undefined, string[]>([[undefined, []]])
  let shared: string | undefined
  for (const key of second) {
    if (inFirst.has(key)) {
      shared = key
      after.set(key, [])
    } else after.get(shared)!.push(key)
  }
  const order: string[] = []
  let waiting = after.get(undefined)!
  for (const key of first) {
    if (inSecond.has(key)) {
      order.push(...waiting)
      waiting = after.get(key)!
    }
    order.push(key)
  }
  return [...order, ...waiting].filter((key) => kept.has(key))
}

/** Merges what both sides made of a list: keys that one side added are in the result, keys that one removed are not. */
export function mergeSets(
  base: readonly string[],
  first: readonly string[],
  second: readonly string[],
): string[] {
  const [inBase, inFirst, inSecond] = [base, first, second].map((keys) => new Set(keys))
  const isKept = (key: string) => (inBase!.has(key) ? inFirst!.has(key) && inSecond!.has(key) : true)
  return mergeOrder(first, second, new Set([...first, ...second].filter(isKept)))
}

export const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, at) => key === b[at])
