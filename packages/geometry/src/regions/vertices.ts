import { checkpoint } from '../budget/budget.ts'
import type { Xyz } from '../values/points.ts'
import { distance } from '../values/vector.ts'

/** Numbers places: places within the tolerance have the same number. */
export function createVertexIndex(tolerance: number): (point: Xyz) => number {
  const size = 4 * tolerance
  const cells = new Map<string, { point: Xyz; index: number }[]>()
  let count = 0
  const toCell = (value: number) => Math.floor(value / size)
  return (point) => {
    const [x, y, z] = [toCell(point.x), toCell(point.y), toCell(point.z)]
    for (let i = -1; i <= 1; i++) {
      for (let j = -1; j <= 1; j++) {
        for (let k = -1; k <= 1; k++) {
          checkpoint()
          const known = cells
            .get(`${x + i} ${y + j} ${z + k}`)
            ?.find((it) => distance(it.point, point) <= tolerance)
          if (known) return known.index
        }
      }
    }
    const key = `${x} ${y} ${z}`
    cells.set(key, [...(cells.get(key) ?? []), { point, index: count }])
    return count++
  }
}
