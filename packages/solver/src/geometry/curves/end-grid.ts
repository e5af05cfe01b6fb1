import { checkpoint } from '../../budget/budget.ts'
import type { Xyz } from '../../values/points.ts'

/** Finds curves by where they begin and end. */
export interface EndGrid {
  add(index: number, start: Xyz, end: Xyz): void
  /** Those with an end in the cells around a place: all within the tolerance, and some more. */
  listNear(place: Xyz): number[]
}

const STEPS = [-1, 0, 1] as const

/** A grid of cells as wide as the tolerance, so that looking up takes the same time however many ends there are. */
export function createEndGrid(tolerance: number): EndGrid {
  const size = Math.max(tolerance, 1e-9)
  const cells = new Map<string, number[]>()
  const listKeys = ({ x, y, z }: Xyz, steps: readonly number[]): string[] => {
    const [i, j, k] = [Math.floor(x / size), Math.floor(y / size), Math.floor(z / size)]
    return steps.flatMap((a) => steps.flatMap((b) => steps.map((c) => `${i + a} ${j + b} ${k + c}`)))
  }
  const put = (index: number, place: Xyz) => {
    for (const key of listKeys(place, [0])) {
      const cell = cells.get(key)
      if (cell) cell.push(index)
      else cells.set(key, [index])
    }
  }
  return {
    add: (index, start, end) => {
      put(index, start)
      put(index, end)
    },
    listNear: (place) => {
      const near = new Set(listKeys(place, STEPS).flatMap((key) => cells.get(key) ?? []))
      // All ends can fall into one cell.
      checkpoint(near.size)
      return [...near]
    },
  }
}
