/** A rectangle to be placed. `sources` are the ids of boxes that are wired to it and come before it in the list. */
export interface Box {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly sources: readonly string[]
}

export interface Corner {
  readonly x: number
  readonly y: number
}

export interface Arrangement {
  /** Top left corners by id, the leftmost and the topmost at 0. */
  readonly corners: ReadonlyMap<string, Corner>
  readonly width: number
  readonly height: number
}

interface Gaps {
  readonly across: number
  readonly down: number
}

/** How often the order in the columns is refined; more changes nothing visible. */
const SWEEPS = 6

/**
 * Places boxes in columns from left to right, so that every wire runs to the right and no two boxes overlap.
 * In a column each box is about as high as the boxes that it is wired to.
 */
export function arrange(boxes: readonly Box[], gaps: Gaps): Arrangement {
  const columns = listColumns(boxes)
  const neighbours = listNeighbours(boxes)
  const tops = new Map<string, number>()
  for (const column of columns) stack(column, tops, gaps.down, () => undefined)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const inTurn = sweep % 2 === 0 ? columns : columns.toReversed()
    for (const column of inTurn) {
      stack(column, tops, gaps.down, (box) => meanCentre(neighbours.get(box.id) ?? [], tops))
    }
  }
  return toArrangement(columns, tops, gaps.across)
}

/** A box is one column right of its last source; a box without sources is just before its first use. */
function listColumns(boxes: readonly Box[]): Box[][] {
  const columnOf = new Map<string, number>()
  for (const box of boxes) {
    columnOf.set(box.id, Math.max(-1, ...box.sources.map((id) => columnOf.get(id) ?? -1)) + 1)
  }
  for (const box of boxes.filter(({ sources }) => sources.length === 0)) {
    const uses = boxes
      .filter(({ sources }) => sources.includes(box.id))
      .map(({ id }) => columnOf.get(id) ?? 1)
    if (uses.length > 0) columnOf.set(box.id, Math.min(...uses) - 1)
  }
  const count = Math.max(-1, ...columnOf.values()) + 1
  return Array.from({ length: count }, (_, column) => boxes.filter(({ id }) => columnOf.get(id) === column))
}

function listNeighbours(boxes: readonly Box[]): Map<string, Box[]> {
  const byId = new Map(boxes.map((box) => [box.id, box]))
  const neighbours = new Map<string, Box[]>(boxes.map(({ id }) => [id, []]))
  for (const box of boxes) {
    for (const source of box.sources.flatMap((id) => byId.get(id) ?? [])) {
      neighbours.get(box.id)?.push(source)
      neighbours.get(source.id)?.push(box)
    }
  }
  return neighbours
}

function meanCentre(boxes: readonly Box[], tops: ReadonlyMap<string, number>): number | undefined {
  if (boxes.length === 0) return undefined
  const centres = boxes.map(({ id, height }) => (tops.get(id) ?? 0) + height / 2)
  return centres.reduce((sum, centre) => sum + centre, 0) / centres.length
}

/** Stacks a column's boxes, each as near to its preferred centre as the others allow. */
function stack(
  column: readonly Box[],
  tops: Map<string, number>,
  gap: number,
  preferredCentre: (box: Box) => number | undefined,
): void {
  const preferred = column
    .map((box) => ({
      box,
      top: (preferredCentre(box) ?? (tops.get(box.id) ?? 0) + box.height / 2) - box.height / 2,
    }))
    .sort((a, b) => a.top - b.top)
  let free = Number.NEGATIVE_INFINITY
  let pushed = 0
  for (const { box, top } of preferred) {
    const positioned = Math.max(top, free)
    tops.set(box.id, positioned)
    pushed += positioned - top
    free = positioned + box.height + gap
  }
  // Boxes are only ever pushed down; moving the whole column back up keeps its wires level on average.
  for (const { box } of preferred) tops.set(box.id, (tops.get(box.id) ?? 0) - pushed / preferred.length)
}

function toArrangement(columns: Box[][], tops: ReadonlyMap<string, number>, gap: number): Arrangement {
  const corners = new Map<string, Corner>()
  const highest = Math.min(...tops.values())
  let left = 0
  let height = 0
  for (const column of columns) {
    for (const box of column) {
      const y = Math.round((tops.get(box.id) ?? 0) - highest)
      corners.set(box.id, { x: left, y })
      height = Math.max(height, y + box.height)
    }
    left += Math.max(...column.map(({ width }) => width)) + gap
  }
  return { corners, width: Math.max(0, left - gap), height }
}
