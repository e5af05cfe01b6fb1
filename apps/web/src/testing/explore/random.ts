/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  /** Picks an item with the chance of its weight. */
  weigh<T>(items: readonly T[], weightOf: (item: T) => number): T
}

/** Source: mulberry32, by Tommy Ettinger. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    weigh(items, weightOf) {
      let left = next() * items.reduce((sum, item) => sum + weightOf(item), 0)
      for (const item of items) {
        left -= weightOf(item)
        if (left < 0) return item
      }
      return items.at(-1)!
    },
  }
}
