import assert from 'node:assert/strict'
import fc from 'fast-check'
import { getBrepArea } from '../breps/brep-mass.ts'
import { reverseCurve } from '../curves/split.ts'
import { createPlanarBreps } from '../regions/planar-breps.ts'
import { arc, line, type NurbsCurve, polyline } from '../values/curves.ts'
import { findPlaneFromNormal, plane, pointAt } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { cross, scale } from '../values/vector.ts'

/*
 * Arrangements of outlines whose areas are known from counting cells. Each outline goes around a set of cells of a grid, so
 * that outlines have corners, edges and parts of edges in common, are in each other, are equal or overlap. The sides of
 * cells are straight or bent, the same for both neighbours, with the area of a segment of a circle or a parabola.
 */

export interface Arrangement {
  readonly curves: readonly Curve[]
  /** Of the faces, in the order of their outer curves; undefined for outlines that overlap or are equal. */
  readonly areas: readonly number[] | undefined
  /** Of the plane. */
  readonly normal: Xyz
  /** By how much areas may differ, since vertices are not exactly where they should be. */
  readonly slack: number
}

/** Checks the faces of an arrangement. */
export function assertAreas(
  { curves, areas, slack }: Pick<Arrangement, 'curves' | 'areas' | 'slack'>,
  tolerance: number,
): void {
  const { breps, open, bent, fault } = createPlanarBreps(curves, tolerance)
  assert.deepEqual([open, bent, fault], [0, 0, areas ? undefined : 'overlap'])
  assert.equal(breps.length, areas?.length ?? 0)
  for (const [i, brep] of breps.entries()) {
    const { size } = getBrepArea(brep)
    assert.ok(Math.abs(size - areas![i]!) <= slack, `the area of face ${i} is ${size}, not ${areas![i]}`)
  }
}

interface Choices {
  readonly size: number
  readonly labels: readonly number[]
  /** Rectangles of cells, as x, y, width and height, in addition to the outlines of the labels. */
  readonly extra: readonly (readonly [number, number, number, number])[]
  readonly bends: readonly number[]
  readonly bent: boolean
  readonly jitter: number
  readonly order: readonly number[]
  readonly angle: number
  readonly tilt: Xyz
  readonly scale: number
}

const anyChoices: fc.Arbitrary<Choices> = fc.constantFrom(2, 2, 3, 3, 4, 5).chain((size) =>
  fc.record({
    size: fc.constant(size),
    labels: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: size * size, maxLength: size * size }),
    extra: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(
          fc.tuple(
            fc.integer({ min: -2, max: 2 }),
            fc.integer({ min: -2, max: 2 }),
            fc.integer({ min: 1, max: 8 }),
            fc.integer({ min: 1, max: 8 }),
          ),
          { minLength: 1, maxLength: 2 },
        ),
      },
      { weight: 1, arbitrary: fc.constant([[-2, -2, size + 4, size + 4] as const]) },
    ),
    bends: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 7, maxLength: 23 }),
    bent: fc.constantFrom(false, false, false, false, false, true),
    jitter: fc.constantFrom(0, 0, 1e-12, 2e-4),
    order: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 20, maxLength: 20 }),
    angle: fc.double({ min: 0, max: 6, noNaN: true }),
    tilt: fc.record({
      x: fc.double({ min: -1, max: 1, noNaN: true }),
      y: fc.double({ min: -1, max: 1, noNaN: true }),
      z: fc.constant(1),
    }),
    scale: fc.constantFrom(1, 0.5, 3, 40),
  }),
)

/** Any arrangement of outlines in any plane. */
export const anyArrangement: fc.Arbitrary<Arrangement> = anyChoices.map(createArrangement)

type Cell = `${number} ${number}`
type Cells = ReadonlySet<Cell>

function createArrangement(choices: Choices): Arrangement {
  const { extra, order, size } = choices
  const rectangles = extra.map(([x, y, width, height]) => listCells(x, y, width, height))
  const shapes = [...listFills(choices.labels, size), ...rectangles]
  const sorted = shapes
    .map((cells, i) => ({ cells, key: order[i % order.length]! }))
    .sort((a, b) => a.key - b.key)
    .map(({ cells }) => cells)
  const bend = createBend(choices)
  const level = createLevel(choices)
  const curves = sorted.map((cells, i) => createOutline(cells, bend, level, choices, i))
  const unit = choices.scale ** 2
  const areas = findAreas(sorted, (cell) => getCellArea(cell, bend))?.map((area) => area * unit)
  return { curves, areas, normal: level.zAxis, slack: 1e-9 * unit + 100 * choices.jitter * choices.scale }
}

function listCells(x: number, y: number, width: number, height: number): Cells {
  const cells = new Set<Cell>()
  for (let i = 0; i < width; i++) for (let j = 0; j < height; j++) cells.add(`${x + i} ${y + j}`)
  return cells
}

const toXy = (cell: Cell) => cell.split(' ').map(Number) as [number, number]

/** The connected cells of each label but 0, with the holes inside them. */
function listFills(labels: readonly number[], size: number): Cells[] {
  const fills: Cells[] = []
  const seen = new Set<Cell>()
  const labelAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= size || y >= size ? -1 : (labels[y * size + x] as number)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (labelAt(x, y) === 0 || seen.has(`${x} ${y}`)) continue
      const own = flood([x, y], SIDES, (i, j) => labelAt(i, j) === labelAt(x, y))
      for (const cell of own) seen.add(cell)
      const isAround = (i: number, j: number) => i >= -1 && j >= -1 && i <= size && j <= size
      const outside = flood([-1, -1], ALL_SIDES, (i, j) => isAround(i, j) && !own.has(`${i} ${j}`))
      fills.push(new Set([...listCells(0, 0, size, size)].filter((cell) => !outside.has(cell))))
    }
  }
  return fills
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const
const ALL_SIDES = [...SIDES, [1, 1], [1, -1], [-1, 1], [-1, -1]] as const

function flood(
  from: readonly [number, number],
  steps: readonly (readonly [number, number])[],
  accepts: (x: number, y: number) => boolean,
): Set<Cell> {
  const found = new Set<Cell>([`${from[0]} ${from[1]}`])
  const open = [from]
  for (let at = open.pop(); at; at = open.pop()) {
    for (const [dx, dy] of steps) {
      const [x, y] = [at[0] + dx, at[1] + dy]
      if (found.has(`${x} ${y}`) || !accepts(x, y)) continue
      found.add(`${x} ${y}`)
      open.push([x, y])
    }
  }
  return found
}

/** Undefined if some sets overlap or are equal; otherwise what each set at an even depth has without those in it. */
function findAreas(shapes: readonly Cells[], getArea: (cell: Cell) => number): number[] | undefined {
  const sum = (cells: Iterable<Cell>) => [...cells].reduce((total, cell) => total + getArea(cell), 0)
  for (const [i, a] of shapes.entries()) {
    for (const b of shapes.slice(i + 1)) {
      const common = a.intersection(b).size
      if (a.size === b.size ? common > 0 : common > 0 && common < Math.min(a.size, b.size)) return undefined
    }
  }
  const depthOf = (shape: Cells) =>
    shapes.filter((other) => other !== shape && shape.isSubsetOf(other)).length
  return shapes.flatMap((shape) => {
    if (depthOf(shape) % 2 === 1) return []
    const inside = shapes.filter((other) => other !== shape && other.isSubsetOf(shape))
    const direct = inside.filter((other) => depthOf(other) === depthOf(shape) + 1)
    return [sum(shape) - direct.reduce((total, hole) => total + sum(hole), 0)]
  })
}

/** How far the side from one grid point to the next one, to the right or up, is bent to its left; `isArc` or parabola. */
type Bend = (x: number, y: number, isUp: boolean) => { height: number; isArc: boolean }

function createBend({ bends, bent }: Choices): Bend {
  return (x, y, isUp) => {
    const at = (((x * 7 + y * 3 + (isUp ? 5 : 0)) % bends.length) + bends.length) % bends.length
    return { height: bent ? (bends[at] as number) * 0.06 : 0, isArc: (x + y) % 2 === 0 }
  }
}

/** The area between the chord of length 1 and a bent side. */
function getSegmentArea({ height, isArc }: ReturnType<Bend>): number {
  if (!isArc || height === 0) return (2 / 3) * height
  const h = Math.abs(height)
  const radius = (h * h + 0.25) / (2 * h)
  const angle = 2 * Math.asin(0.5 / radius)
  return (Math.sign(height) * radius ** 2 * (angle - Math.sin(angle))) / 2
}

function getCellArea(cell: Cell, bend: Bend): number {
  const [x, y] = toXy(cell)
  return (
    1 -
    getSegmentArea(bend(x, y, false)) +
    getSegmentArea(bend(x, y + 1, false)) +
    getSegmentArea(bend(x, y, true)) -
    getSegmentArea(bend(x + 1, y, true))
  )
}

function createLevel({ tilt, angle, scale: size }: Choices): Plane {
  const { origin, xAxis, yAxis, zAxis } = findPlaneFromNormal({ x: 3, y: -2, z: 1 }, tilt)!
  const along = {
    x: xAxis.x * Math.cos(angle) + yAxis.x * Math.sin(angle),
    y: xAxis.y * Math.cos(angle) + yAxis.y * Math.sin(angle),
    z: xAxis.z * Math.cos(angle) + yAxis.z * Math.sin(angle),
  }
  return plane(scale(origin, size), along, cross(zAxis, along), zAxis)
}

type Step = readonly [x: number, y: number, dx: number, dy: number]

/** The boundary of connected cells without holes, with the cells on the left. */
function trace(cells: Cells): Step[] {
  const leaving = new Map<string, Step[]>()
  const add = (step: Step) => {
    const key = `${step[0]} ${step[1]}`
    leaving.set(key, [...(leaving.get(key) ?? []), step])
  }
  for (const cell of cells) {
    const [x, y] = toXy(cell)
    if (!cells.has(`${x} ${y - 1}`)) add([x, y, 1, 0])
    if (!cells.has(`${x + 1} ${y}`)) add([x + 1, y, 0, 1])
    if (!cells.has(`${x} ${y + 1}`)) add([x + 1, y + 1, -1, 0])
    if (!cells.has(`${x - 1} ${y}`)) add([x, y + 1, 0, -1])
  }
  const first = [...leaving.values()][0]![0] as Step
  const steps = [first]
  for (;;) {
    const [x, y, dx, dy] = steps.at(-1) as Step
    const next = leaving.get(`${x + dx} ${y + dy}`) as Step[]
    // To the left, which stays at the same cell, where the outline touches itself.
    const step = next.find(([, , i, j]) => i === -dy && j === dx) ?? (next[0] as Step)
    if (step === first) return steps
    steps.push(step)
  }
}

function createOutline(cells: Cells, bend: Bend, level: Plane, choices: Choices, index: number): Curve {
  const steps = trace(cells)
  const noise = (x: number, y: number, salt: number) =>
    (choices.jitter / choices.scale) * Math.sin(12.9898 * x + 78.233 * y + 37.719 * (index + salt))
  const place = (x: number, y: number) =>
    pointAt(level, (x + noise(x, y, 0)) * choices.scale, (y + noise(x, y, 1)) * choices.scale)
  const start = (choices.order[index % choices.order.length] as number) % steps.length
  const turned = [...steps.slice(start), ...steps.slice(0, start)]
  const segments = mergeStraight(turned, bend).map(([x, y, dx, dy]) =>
    createSide(x, y, dx, dy, bend, place, level),
  )
  const isStraight = segments.every(({ type }) => type === 'line')
  const corners = segments.map((segment) => (segment.type === 'line' ? segment.from : { x: 0, y: 0, z: 0 }))
  const curve: Curve = isStraight
    ? polyline([...corners, corners[0] as Xyz])
    : { type: 'polyCurve', segments }
  return index % 3 === 0 ? reverseCurve(curve) : curve
}

/** Straight steps in one direction are one side. */
function mergeStraight(steps: readonly Step[], bend: Bend): Step[] {
  const sides: Step[] = []
  const isStraight = ([x, y, dx, dy]: Step) =>
    bend(Math.min(x, x + dx), Math.min(y, y + dy), dy !== 0).height === 0
  for (const step of steps) {
    const last = sides.at(-1)
    const [x, y, dx, dy] = step
    const wasStraight =
      last !== undefined && Math.abs(last[2] + last[3]) >= 1 && isStraightSide(last, isStraight)
    if (last && wasStraight && isStraight(step) && Math.sign(last[2]) === dx && Math.sign(last[3]) === dy) {
      sides[sides.length - 1] = [last[0], last[1], last[2] + dx, last[3] + dy]
    } else sides.push([x, y, dx, dy])
  }
  return sides
}

function isStraightSide([x, y, dx, dy]: Step, isStraight: (step: Step) => boolean): boolean {
  return Math.abs(dx + dy) > 1 || isStraight([x, y, dx, dy])
}

function createSide(
  x: number,
  y: number,
  dx: number,
  dy: number,
  bend: Bend,
  place: (x: number, y: number) => Xyz,
  level: Plane,
): Curve {
  const { height, isArc } = bend(Math.min(x, x + dx), Math.min(y, y + dy), dy !== 0)
  const [from, to] = [place(x, y), place(x + dx, y + dy)]
  if (height === 0 || Math.abs(dx + dy) > 1) return line(from, to)
  // To the left of this step.
  const side = dx + dy > 0 ? height : -height
  return isArc ? createArc(from, to, side, level) : createParabola(from, to, side, level)
}

/** The point to the left of the middle of a chord, in chords. */
function getApex(from: Xyz, to: Xyz, height: number, { zAxis }: Plane): Xyz {
  const chord = { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z }
  const left = cross(zAxis, chord)
  const at = (axis: 'x' | 'y' | 'z') => (from[axis] + to[axis]) / 2 + left[axis] * height
  return { x: at('x'), y: at('y'), z: at('z') }
}

function createParabola(from: Xyz, to: Xyz, height: number, level: Plane): NurbsCurve {
  const points = [from, getApex(from, to, 2 * height, level), to]
  return { type: 'nurbsCurve', degree: 2, points, knots: [0, 0, 1, 1] }
}

function createArc(from: Xyz, to: Xyz, height: number, { zAxis }: Plane): Curve {
  const h = Math.abs(height)
  const radius = (h * h + 0.25) / (2 * h)
  const level = { ...WITHOUT_AXES, zAxis }
  const centre = getApex(from, to, Math.sign(height) * (h - radius), level)
  const size = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z)
  const half = Math.asin(0.5 / radius)
  // Counter-clockwise from the end for a side that bends to the left.
  const [first, normal] = height > 0 ? [from, scale(zAxis, -1)] : [from, zAxis]
  const xAxis = scale(
    { x: first.x - centre.x, y: first.y - centre.y, z: first.z - centre.z },
    1 / (radius * size),
  )
  return arc(plane(centre, xAxis, cross(normal, xAxis), normal), radius * size, 0, 2 * half)
}

const WITHOUT_AXES = {
  type: 'plane',
  origin: { x: 0, y: 0, z: 0 },
  xAxis: { x: 0, y: 0, z: 0 },
  yAxis: { x: 0, y: 0, z: 0 },
} as const
