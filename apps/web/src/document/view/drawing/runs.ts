import { LOOK, type Look } from '../scene/looks.ts'
import type { ScenePart } from '../scene/scene-values.ts'

/** Elements of a part that follow each other and have the same look. */
export interface Run {
  part: ScenePart
  /** The number of the first value. */
  value: number
  from: number
  to: number
}

/** The runs with these looks, in order. Values that follow each other are one run, or each is one. */
export function listRuns(
  parts: readonly ScenePart[],
  looks: Uint8Array,
  wanted: readonly Look[],
  isEachValue = false,
): Run[] {
  const runs: Run[] = []
  const isWanted = new Uint8Array(Object.keys(LOOK).length)
  for (const look of wanted) isWanted[look] = 1
  for (const part of parts) {
    const { first, count } = part.port
    let start = -1
    const end = (number: number) => {
      const [from, to] = [part.starts[start]!, part.starts[number]!]
      if (to > from) runs.push({ part, value: first + start, from, to })
      start = -1
    }
    for (let number = 0; number < count; number++) {
      const isIn = isWanted[looks[first + number]!] === 1
      if (start >= 0 && (!isIn || isEachValue)) end(number)
      if (isIn && start < 0) start = number
    }
    if (start >= 0) end(count)
  }
  return runs
}

export const countElements = (runs: readonly Run[]): number =>
  runs.reduce((sum, { from, to }) => sum + to - from, 0)

/**
 * Returns the last array if it is long enough and not four times too long, otherwise a new one: scenes that follow each
 * other use the same buffers.
 */
export function reserve<T extends Float32Array | Uint32Array | Uint8Array>(
  last: T | undefined,
  length: number,
  create: (length: number) => T,
): T {
  if (last && last.length >= length && last.length <= Math.max(4 * length, 4096)) return last
  return create(last && length > last.length ? Math.ceil((length * 1.25) / 12) * 12 : length)
}
