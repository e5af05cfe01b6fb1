/** A seeded generator of pseudo-random numbers (mulberry32). */
export interface Random {
  /** Returns a number from 0 (included) to 1 (excluded). */
  fraction(): number
  /** Returns an integer from `min` to `max`, both included. */
  whole(min: number, max: number): number
  pick<T>(values: readonly T[]): T
  uuid(): string
}

export function createRandom(seed: number): Random {
  let state = seed
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  const digits = (count: number) =>
    whole(0, 16 ** count - 1)
      .toString(16)
      .padStart(count, '0')
  return {
    fraction,
    whole,
    pick: (values) => values[whole(0, values.length - 1)]!,
    uuid: () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`,
  }
}
