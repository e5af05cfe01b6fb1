import { getBrepVolume } from '../breps/brep-mass.ts'
import { checkpoint } from '../budget/budget.ts'
import { overlap } from '../values/bounding-box.ts'
import type { Brep } from '../values/brep.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { buildBreps } from './build-solids.ts'
import {
  type Combination,
  CombineError,
  combine,
  findBoundsOfFaces,
  type Keep,
  type Part,
} from './combine.ts'
import { type FlatFace, findFlatFaces } from './flat-faces.ts'

/*
 * Booleans of solids whose faces are flat and whose edges are straight. Faces keep the surfaces that they are on, and
 * faces in one plane stay separate if they come from separate ones. A result is given only if it is closed.
 */

/** The results, or the reason why there are no results, as the end of a sentence. */
export type BooleanResult = { readonly breps: readonly Brep[] } | { readonly problem: string }

/** Subtracts the second solids from each of the first ones, which keep their order. */
export function subtractSolids(
  solids: readonly Brep[],
  cutters: readonly Brep[],
  tolerance: number,
): BooleanResult {
  return attempt(() => {
    const cuts = cutters.map((brep) => readSolid(brep, tolerance))
    return solids.flatMap((brep) => {
      const solid = readSolid(brep, tolerance)
      const near = cuts.filter((cutter) => areNear(solid, cutter, tolerance))
      if (near.length === 0) return [brep]
      const isKept = (isIn: (shape: number) => boolean) => isIn(0) && !near.some((_, i) => isIn(i + 1))
      const combination = combineSolids([solid, ...near], isKept, tolerance)
      return combination.isFirstUnchanged ? [brep] : buildSolids(combination, tolerance)
    })
  })
}

/** Unites solids, with one result for each connected body. */
export function uniteSolids(solids: readonly Brep[], tolerance: number): BooleanResult {
  return attempt(() => {
    const all = solids.map((brep) => ({ brep, faces: readSolid(brep, tolerance) }))
    return groupNear(all, tolerance).flatMap((group) => {
      const [first] = group
      if (first && group.length === 1) return [first.brep]
      const isKept = (isIn: (shape: number) => boolean) => group.some((_, i) => isIn(i))
      const shapes = group.map(({ faces }) => faces)
      return buildSolids(combineSolids(shapes, isKept, tolerance), tolerance)
    })
  })
}

/** Returns what each of the first solids has in common with any of the second ones. */
export function intersectSolids(
  solids: readonly Brep[],
  others: readonly Brep[],
  tolerance: number,
): BooleanResult {
  return attempt(() => {
    const seconds = others.map((brep) => readSolid(brep, tolerance))
    return solids.flatMap((brep) => {
      const solid = readSolid(brep, tolerance)
      const near = seconds.filter((other) => areNear(solid, other, tolerance))
      if (near.length === 0) return []
      const isKept = (isIn: (shape: number) => boolean) => isIn(0) && near.some((_, i) => isIn(i + 1))
      return buildSolids(combineSolids([solid, ...near], isKept, tolerance), tolerance)
    })
  })
}

/** Returns the faces of a brep outside solids, with one result for each connected part. The brep may be open. */
export function trimBySolids(brep: Brep, cutters: readonly Brep[], tolerance: number): BooleanResult {
  return attempt(() => {
    const faces = readFaces(brep, tolerance)
    const cuts = cutters.map((cutter) => readSolid(cutter, tolerance))
    const near = cuts.filter((cutter) => areNear(faces, cutter, tolerance))
    if (near.length === 0) return [brep]
    const combination = combine(number([faces, ...near]), keepOutside(near.length), tolerance)
    return combination.isFirstUnchanged ? [brep] : buildBreps(combination, tolerance)
  })
}

function keepOutside(cutters: number): (part: Part) => Keep | undefined {
  const shapes = Array.from({ length: cutters }, (_, i) => i + 1)
  return ({ faces, isInFront, isBehind }) => {
    const source = faces.find(({ shape }) => shape === 0)
    if (!source) return undefined
    if (faces.length > 1) throw new CombineError('a cutter has a face in the plane of another face')
    return shapes.some((shape) => isInFront(shape) && isBehind(shape))
      ? undefined
      : { source, isFlipped: false }
  }
}

function attempt(run: () => Brep[]): BooleanResult {
  try {
    return { breps: run() }
  } catch (error) {
    if (error instanceof CombineError) return { problem: error.message }
    throw error
  }
}

function readSolid(brep: Brep, tolerance: number): FlatFace[] {
  if (!isClosedBrep(brep)) throw new CombineError('a brep is open')
  const faces = readFaces(brep, tolerance)
  if (!(getBrepVolume(brep).size > 0)) throw new CombineError('a brep is inside out')
  return faces
}

function readFaces(brep: Brep, tolerance: number): FlatFace[] {
  const faces = findFlatFaces(brep, 0, tolerance)
  if (!faces) throw new CombineError('a brep has curved faces or edges')
  if (faces.length === 0) throw new CombineError('a brep is smaller than the tolerance')
  return faces
}

/** Numbers shapes by their position. */
function number(shapes: readonly (readonly FlatFace[])[]): FlatFace[][] {
  return shapes.map((faces, shape) => faces.map((face) => ({ ...face, shape })))
}

function areNear(one: readonly FlatFace[], other: readonly FlatFace[], tolerance: number): boolean {
  return overlap(findBoundsOfFaces(one), findBoundsOfFaces(other), tolerance)
}

/** Solids whose bounding boxes touch, directly or through others; in the order of the first of each group. */
function groupNear<T extends { faces: readonly FlatFace[] }>(solids: readonly T[], tolerance: number): T[][] {
  const left = new Set(solids)
  const groups: T[][] = []
  for (const start of solids) {
    if (!left.delete(start)) continue
    const group = [start]
    for (const solid of group) {
      for (const other of left) {
        checkpoint()
        if (!areNear(solid.faces, other.faces, tolerance)) continue
        left.delete(other)
        group.push(other)
      }
    }
    groups.push(group)
  }
  return groups
}

/** Keeps the parts of faces that have the result on one side only. */
function combineSolids(
  shapes: readonly (readonly FlatFace[])[],
  isKept: (isIn: (shape: number) => boolean) => boolean,
  tolerance: number,
): Combination {
  return combine(
    number(shapes),
    ({ faces, isInFront, isBehind, looksAhead }) => {
      const isAhead = isKept(isBehind)
      if (isAhead === isKept(isInFront)) return undefined
      const same = faces.find((face) => looksAhead(face) === isAhead)
      const source = same ?? faces[0]
      return source && { source, isFlipped: !same }
    },
    tolerance,
  )
}

/** Checks that the result is closed and that its bodies are full. */
function buildSolids(combination: Combination, tolerance: number): Brep[] {
  const breps = buildBreps(combination, tolerance)
  for (const brep of breps) {
    if (!isSound(brep)) throw new CombineError('the result would touch itself along an edge')
    if (getBrepVolume(brep).size < 0) throw new CombineError('the result would have a hollow inside')
  }
  return breps
}

/** Each edge has two faces, which run along it in opposite directions. */
function isSound({ edges, faces }: Brep): boolean {
  const uses = edges.map(() => ({ along: 0, against: 0 }))
  for (const { loops, isReversed } of faces) {
    for (const trim of loops.flat()) {
      checkpoint()
      const use = trim.edge === undefined ? undefined : uses[trim.edge]
      if (!use) return false
      if (trim.isReversed === isReversed) use.along++
      else use.against++
    }
  }
  return uses.every(({ along, against }) => along === 1 && against === 1)
}
