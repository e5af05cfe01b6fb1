import { checkpoint } from '../../budget/budget.ts'
import type { Xyz } from '../../values/points.ts'
import { distance } from '../../values/vector.ts'

/** Places of which those within the tolerance are one. */
export interface VertexGrid {
  readonly places: readonly Xyz[]
  /** The index of the place, which is added where none is near. */
  take(place: Xyz): number
}

export function createVertexGrid(tolerance: number): VertexGrid {
  const places: Xyz[] = []
  const cells = new Map<string, number[]>()
  // A place is near others in its own cell or in one beside it.
  const size = Math.max(2 * tolerance, 1e-12)
  const cellOf = (value: number) => Math.floor(value / size)
  const key = (x: number, y: number, z: number) => `${x},${y},${z}`
  return {
    places,
    take(place) {
      const [x, y, z] = [cellOf(place.x), cellOf(place.y), cellOf(place.z)]
      let best = -1
      for (let i = -1; i <= 1; i++) {
        for (let j = -1; j <= 1; j++) {
          for (let k = -1; k <= 1; k++) {
            for (const index of cells.get(key(x + i, y + j, z + k)) ?? []) {
              checkpoint()
              const gap = distance(places[index] as Xyz, place)
              if (gap <= tolerance && (best < 0 || gap < distance(places[best] as Xyz, place))) best = index
            }
          }
        }
      }
      if (best >= 0) return best
      const cell = cells.get(key(x, y, z))
      const index = places.push({ x: place.x, y: place.y, z: place.z }) - 1
      if (cell) cell.push(index)
      else cells.set(key(x, y, z), [index])
      return index
    },
  }
}
