import { checkpoint } from '../budget/budget.ts'
import type { Xyz } from '../values/points.ts'
import { distance } from '../values/vector.ts'
import { createGroups } from './disjoint-sets.ts'

/** Points in a cell with sides of the reach over √3, or in one place if the reach is zero. */
interface Cell {
  readonly place: readonly [number, number, number]
  readonly members: number[]
}

/**
 * Groups of points by index, connected by chains of neighbours that are at most `reach` apart. Groups and their members
 * are in descending order of their indices.
 */
export function groupWithin(points: readonly Xyz[], reach: number): number[][] {
  const sets = createGroups(points.length)
  const cells = new Map<string, Cell>()
  // A little less than needed, since the coordinates are rounded.
  const side = (reach / Math.sqrt(3)) * (1 - 1e-12)
  const locate = (coordinate: number) => (reach > 0 ? Math.floor(coordinate / side) : coordinate)
  for (const [index, { x, y, z }] of points.entries()) {
    checkpoint()
    const place = [locate(x), locate(y), locate(z)] as const
    const key = place.join(' ')
    const cell = cells.get(key) ?? { place, members: [] }
    cells.set(key, cell)
    cell.members.push(index)
  }
  for (const cell of cells.values()) {
    for (const other of listAround(cell, cells)) connect(cell, other, points, reach, sets)
  }
  return listGroups(points.length, sets)
}

/** The cell itself and those within two steps, each pair once. */
function* listAround(cell: Cell, cells: ReadonlyMap<string, Cell>): Generator<Cell> {
  const [x, y, z] = cell.place
  for (let step = 62; step < 125; step++) {
    const [dx, dy, dz] = [(step % 5) - 2, (Math.floor(step / 5) % 5) - 2, Math.floor(step / 25) - 2]
    const other = cells.get(`${x + dx} ${y + dy} ${z + dz}`)
    if (other) yield other
  }
}

/** Joins the groups of two cells if a point of one is within reach of a point of the other. */
function connect(
  one: Cell,
  other: Cell,
  points: readonly Xyz[],
  reach: number,
  sets: ReturnType<typeof createGroups>,
): void {
  const isWhole = reach === 0 || (isPrecise(one) && isPrecise(other))
  for (const a of one.members) {
    for (const b of other.members) {
      checkpoint()
      const isJoined = sets.find(a) === sets.find(b)
      if (isJoined && isWhole && a !== b) return
      if (isJoined || distance(points[a] as Xyz, points[b] as Xyz) > reach) continue
      sets.join(a, b)
      if (isWhole && one !== other) return
    }
  }
}

/** Whether the numbers of a cell are exact, so that its points are within reach of each other. */
function isPrecise({ place }: Cell): boolean {
  return place.every((index) => Math.abs(index) < 2 ** 50)
}

function listGroups(count: number, { find }: ReturnType<typeof createGroups>): number[][] {
  const groups = new Map<number, number[]>()
  for (let index = count - 1; index >= 0; index--) {
    const members = groups.get(find(index)) ?? []
    groups.set(find(index), members)
    members.push(index)
  }
  return [...groups.values()]
}
