import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

type Known = number | undefined
type Three = [Known, Known, Known]

/** Angles and edges of triangles from some of them (rule I-14). Unknown ones stay null. */
export const TRIANGLE_SOLVERS: readonly Kind[] = [
  defineKind({
    guid: 'e75d4624-8ee2-4067-ac8d-c56bdc901d83',
    description:
      'The angles and edges of a right triangle, from some of them. P is opposite to beta, Q to alpha, R is the longest edge.',
    solve: ([alpha, beta, p, q, r], context) => {
      const solved = solveTriangle([alpha, beta, Math.PI / 2], [q, p, r], context)
      return solved
        ? [solved.angles[0], solved.angles[1], solved.sides[1], solved.sides[0], solved.sides[2]]
        : []
    },
  }),
  defineKind({
    guid: '92af1a02-9b87-43a0-8c45-0ce1b81555ec',
    description:
      'The angles and edges of a triangle, from some of them. A is opposite to alpha, B to beta, C to gamma.',
    solve: ([alpha, beta, gamma, a, b, c], context) => {
      const solved = solveTriangle([alpha, beta, gamma], [a, b, c], context)
      return solved ? [...solved.angles, ...solved.sides] : []
    },
  }),
]

/** Sums and squares that are equal may differ by this part of them. */
const SLACK = 1e-9
const PLACES = [0, 1, 2] as const

/**
 * Adds what follows from the known angles and edges. Undefined, with a message, for values that no triangle has.
 * Source: the laws of sines and cosines.
 */
function solveTriangle(
  givenAngles: Readonly<Three>,
  givenSides: Readonly<Three>,
  context: KindContext,
): { angles: Three; sides: Three } | undefined {
  const angles: Three = [...givenAngles]
  const sides: Three = [...givenSides]
  const isPossible = arePossible(angles, sides)
  // Each round adds one of six values.
  while (isPossible && addNext(angles, sides));
  if (!isPossible || [...angles, ...sides].some((value) => value !== undefined && !(value >= 0))) {
    context.error('No triangle has these angles and edges')
    return undefined
  }
  if (givenSides.includes(undefined) && angles.some((angle) => angle !== undefined && angle <= SLACK)) {
    context.limit('Triangles without an area are supported for three edges')
    return undefined
  }
  if (areConsistent(angles, sides)) return { angles, sides }
  context.limit('The angles and edges contradict each other, and which of them count is not published')
  return undefined
}

/** Whether given edges have a length, and given angles leave the rest of a half turn. */
function arePossible(angles: Three, sides: Three): boolean {
  const known = angles.filter((angle) => angle !== undefined)
  const rest = known.reduce((left, angle) => left - angle, Math.PI)
  const areAngles = known.length === 3 ? Math.abs(rest) <= SLACK : rest > 0
  return areAngles && [...known, ...sides].every((value) => value === undefined || value > 0)
}

/** Adds a value that follows from others. Returns whether there was one. */
function addNext(angles: Three, sides: Three): boolean {
  const open = PLACES.filter((i) => angles[i] === undefined)
  if (open.length === 1 && open[0] !== undefined) {
    angles[open[0]] = angles.reduce<number>((left, angle) => left - (angle ?? 0), Math.PI)
    return true
  }
  return PLACES.some((i) => addByCosines(angles, sides, i)) || addBySines(angles, sides)
}

/** Adds an edge from the angle between the others, or an angle from three edges. */
function addByCosines(angles: Three, sides: Three, i: 0 | 1 | 2): boolean {
  const [a, b, c, angle] = [sides[i], sides[(i + 1) % 3], sides[(i + 2) % 3], angles[i]]
  if (b === undefined || c === undefined || (a === undefined) === (angle === undefined)) return false
  if (angle !== undefined) sides[i] = Math.sqrt(b * b + c * c - 2 * b * c * Math.cos(angle))
  if (a !== undefined) angles[i] = findAngle(a, b, c)
  return true
}

/** The angle opposite to the first of three edges; NaN where they do not meet. */
function findAngle(a: number, b: number, c: number): number {
  const cosine = (b * b + c * c - a * a) / (2 * b * c)
  return Math.abs(cosine) > 1 + SLACK ? Number.NaN : Math.acos(Math.min(1, Math.max(-1, cosine)))
}

/** Of two possible angles the acute one is taken, as Grasshopper was recorded to do. */
function addBySines(angles: Three, sides: Three): boolean {
  const known = PLACES.find((i) => angles[i] !== undefined && sides[i] !== undefined)
  const open = PLACES.find((i) => (angles[i] === undefined) !== (sides[i] === undefined))
  if (known === undefined || open === undefined) return false
  const diameter = (sides[known] as number) / Math.sin(angles[known] as number)
  const angle = angles[open]
  if (angle === undefined) angles[open] = Math.asin((sides[open] as number) / diameter)
  else sides[open] = diameter * Math.sin(angle)
  return true
}

/** Whether the law of cosines holds at each corner, once all values are known. */
function areConsistent(angles: Three, sides: Three): boolean {
  return PLACES.every((i) => {
    const [a, b, c, angle] = [sides[i], sides[(i + 1) % 3], sides[(i + 2) % 3], angles[i]]
    if (a === undefined || b === undefined || c === undefined || angle === undefined) return true
    const error = b * b + c * c - 2 * b * c * Math.cos(angle) - a * a
    return Math.abs(error) <= SLACK * Math.max(a, b, c) ** 2
  })
}
