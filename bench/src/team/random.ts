/** Numbers that look random and are the same in every run (mulberry32). */
export interface Random {
  /** From 0 up to 1, not included. */
  share(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<T>(values: readonly T[]): T
  uuid(): string
}

export function createRandom(seed: number): Random {
  let state = seed
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  const digits = (count: number) =>
    whole(0, 16 ** count - 1)
      .toString(16)
      .padStart(count, '0')
  return {
    share,
    whole,
    pick: (values) => values[whole(0, values.length - 1)]!,
    uuid: () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`,
  }
}
