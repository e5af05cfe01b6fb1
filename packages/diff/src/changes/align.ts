/** An item of a list with its index. */
export interface Placed<T> {
  item: T
  index: number
}

/** How one list became another one. */
export interface Alignment<T> {
  added: Placed<T>[]
  removed: Placed<T>[]
  /** The items of the newer list that are in the place of other items. */
  replaced: { index: number; before: T; after: T }[]
  /** The items of both lists in both orders, if these differ. */
  reordered: { before: T[]; after: T[] } | undefined
}

/**
 * Compares two lists whose items have keys. An item without a key counts for nothing: it came or went with something
 * else. Of items with equal keys only the first counts.
 */
export function alignLists<T>(
  before: readonly T[],
  after: readonly T[],
  keyBefore: (item: T) => string | undefined,
  keyAfter: (item: T) => string | undefined,
): Alignment<T> {
  if (
    before.length === after.length &&
    before.every((item, i) => isSame(keyBefore(item), keyAfter(after[i]!)))
  ) {
    return { added: [], removed: [], replaced: [], reordered: undefined }
  }
  const [older, newer] = [toKeyed(before, keyBefore), toKeyed(after, keyAfter)]
  const commonBefore = [...older.keys()].filter((key) => newer.has(key))
  const commonAfter = [...newer.keys()].filter((key) => older.has(key))
  const removed = [...older].filter(([key]) => !newer.has(key))
  const added = [...newer].filter(([key]) => !older.has(key))
  const items = (keys: readonly string[], from: ReadonlyMap<string, Placed<T>>) =>
    keys.map((key) => from.get(key)!.item)
  if (commonBefore.some((key, i) => key !== commonAfter[i])) {
    return {
      added: added.map(([, placed]) => placed),
      removed: removed.map(([, placed]) => placed),
      replaced: [],
      reordered: { before: items(commonBefore, older), after: items(commonAfter, newer) },
    }
  }
  return { ...pairByGap(commonBefore, older, newer), reordered: undefined }
}

const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b

/** Pairs what was removed with what was added between the same two items. */
function pairByGap<T>(
  common: readonly string[],
  older: ReadonlyMap<string, Placed<T>>,
  newer: ReadonlyMap<string, Placed<T>>,
) {
  const [gapsBefore, gapsAfter] = [listGaps(common, older), listGaps(common, newer)]
  const result: Omit<Alignment<T>, 'reordered'> = { added: [], removed: [], replaced: [] }
  gapsBefore.forEach((removed, gap) => {
    const added = gapsAfter[gap]!
    const both = Math.min(removed.length, added.length)
    for (let i = 0; i < both; i++) {
      result.replaced.push({ index: added[i]!.index, before: removed[i]!.item, after: added[i]!.item })
    }
    result.removed.push(...removed.slice(both))
    result.added.push(...added.slice(both))
  })
  return result
}

/** Lists the items before the first common one, between each two, and behind the last one. */
function listGaps<T>(common: readonly string[], list: ReadonlyMap<string, Placed<T>>): Placed<T>[][] {
  const gaps: Placed<T>[][] = [[]]
  for (const [key, placed] of list) {
    if (key === common[gaps.length - 1]) gaps.push([])
    else gaps.at(-1)!.push(placed)
  }
  return gaps
}

function toKeyed<T>(list: readonly T[], keyOf: (item: T) => string | undefined): Map<string, Placed<T>> {
  const keyed = new Map<string, Placed<T>>()
  list.forEach((item, index) => {
    const key = keyOf(item)
    if (key !== undefined && !keyed.has(key)) keyed.set(key, { item, index })
  })
  return keyed
}
