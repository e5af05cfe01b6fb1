import { checkpoint } from '../budget/budget.ts'
import type { Bounds } from '../values/bounding-box.ts'

const AXES = ['x', 'y', 'z'] as const
type Axis = (typeof AXES)[number]

/**
 * The pairs of boxes that are at most `tolerance` apart along each axis, by index, the smaller one first. Takes
 * O(n log n) steps and one for each pair that overlaps along the axis on which the boxes are most spread out.
 * Source: sweep and prune, Ericson, Real-Time Collision Detection, 7.5.
 */
export function* listClosePairs(boxes: readonly Bounds[], tolerance: number): Generator<[number, number]> {
  const axis = findSweepAxis(boxes)
  const order = [...boxes.keys()].sort((a, b) => boxes[a]!.min[axis] - boxes[b]!.min[axis])
  let open: number[] = []
  for (const index of order) {
    const box = boxes[index] as Bounds
    checkpoint(1 + open.length)
    open = open.filter((other) => boxes[other]!.max[axis] >= box.min[axis] - tolerance)
    for (const other of open) {
      if (areClose(boxes[other] as Bounds, box, tolerance)) {
        yield other < index ? [other, index] : [index, other]
      }
    }
    open.push(index)
  }
}

/** Whether two boxes are at most `tolerance` apart along each axis. */
function areClose(a: Bounds, b: Bounds, tolerance: number): boolean {
  return AXES.every(
    (axis) => a.min[axis] - tolerance <= b.max[axis] && b.min[axis] - tolerance <= a.max[axis],
  )
}

/** The axis along which the fewest boxes overlap, if they are spread evenly: the one with the most room for each. */
function findSweepAxis(boxes: readonly Bounds[]): Axis {
  let best: { axis: Axis; room: number } = { axis: 'x', room: -1 }
  for (const axis of AXES) {
    let [low, high, filled] = [Infinity, -Infinity, 0]
    for (const { min, max } of boxes) {
      low = Math.min(low, min[axis])
      high = Math.max(high, max[axis])
      filled += max[axis] - min[axis]
    }
    const room = high > low ? (high - low) / filled : 0
    if (room > best.room) best = { axis, room }
  }
  return best.axis
}
