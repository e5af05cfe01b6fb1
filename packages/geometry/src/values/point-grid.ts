import { checkpoint } from '../budget/budget.ts'
import type { Xyz } from './points.ts'

/** A spatial index of items by points. */
export interface PointGrid<T> {
  add(item: T, at: Xyz): void
  /** The items in the cells around a point: all within the tolerance, and some further away. */
  listNear(point: Xyz): T[]
}

const STEPS = [-1, 0, 1] as const

/** A grid whose cells are as wide as the tolerance, so that a lookup takes constant time. */
export function createPointGrid<T>(tolerance: number): PointGrid<T> {
  const size = Math.max(tolerance, 1e-9)
  const cells = new Map<string, T[]>()
  const listKeys = ({ x, y, z }: Xyz, steps: readonly number[]): string[] => {
    const [i, j, k] = [Math.floor(x / size), Math.floor(y / size), Math.floor(z / size)]
    return steps.flatMap((a) => steps.flatMap((b) => steps.map((c) => `${i + a} ${j + b} ${k + c}`)))
  }
  return {
    add: (item, at) => {
      for (const key of listKeys(at, [0])) {
        const cell = cells.get(key)
        if (cell) cell.push(item)
        else cells.set(key, [item])
      }
    },
    listNear: (point) => {
      const near = new Set(listKeys(point, STEPS).flatMap((key) => cells.get(key) ?? []))
      // All points may be in one cell.
      checkpoint(near.size)
      return [...near]
    },
  }
}
