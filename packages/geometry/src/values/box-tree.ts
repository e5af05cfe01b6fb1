import { checkpoint } from '../budget/budget.ts'
import type { Bounds } from './bounding-box.ts'
import type { Xyz } from './points.ts'

/** A tree of bounding boxes over items: a node has `leaves` where they are few, and else two halves. */
export interface BoxTree<T> extends Bounds {
  readonly leaves?: readonly T[]
  readonly children?: readonly [BoxTree<T>, BoxTree<T>]
}

/** How a tree of boxes is made of items. */
export interface BoxTreeOf<T> {
  /** How many items a node has at most that is not divided. */
  readonly most: number
  /** Returns the box around items, of which there is at least one. */
  findBounds(items: readonly T[]): Bounds
  /** Returns where an item is along an axis. Only the order of these numbers counts. */
  locate(item: T, axis: keyof Xyz): number
}

export const AXES = ['x', 'y', 'z'] as const

/** Halves items again and again along the longest side of the box around them. Undefined where there are none. */
export function createBoxTree<T>(items: readonly T[], how: BoxTreeOf<T>): BoxTree<T> | undefined {
  if (items.length === 0) return undefined
  checkpoint(items.length)
  const { min, max } = how.findBounds(items)
  if (items.length <= how.most) return { min, max, leaves: items }
  const axis = AXES.reduce((widest, other) =>
    max[other] - min[other] > max[widest] - min[widest] ? other : widest,
  )
  const sorted = items.toSorted((a, b) => how.locate(a, axis) - how.locate(b, axis))
  const half = sorted.length >> 1
  const [low, high] = [createBoxTree(sorted.slice(0, half), how), createBoxTree(sorted.slice(half), how)]
  return low && high ? { min, max, children: [low, high] } : { min, max, leaves: items }
}
