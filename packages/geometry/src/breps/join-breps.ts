import { checkpoint } from '../budget/budget.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { createBrepBuilder } from './brep-builder.ts'
import { getBrepVolume } from './brep-mass.ts'
import { pickFaces } from './list-faces.ts'

/**
 * Joins breps at coincident open edges: one result for each connected group of faces, in the order of their
 * first faces. Faces of a group are oriented consistently; those of a closed group point outwards.
 */
export function joinBreps(breps: readonly Brep[], tolerance: number): Brep[] {
  const builder = createBrepBuilder(tolerance)
  for (const brep of breps) builder.addBrep(brep)
  const whole = builder.build()
  return listGroups(whole).map((faces) => lookOutside(pickFaces(whole, faces)))
}

interface Side {
  readonly face: number
  /** The edge runs along the loop of the face, seen from its outside. */
  readonly isAlong: boolean
}

/** Connected groups of faces, oriented like the first of the group. */
function listGroups({ edges, faces }: Brep): BrepFace[][] {
  const sides: Side[][] = edges.map(() => [])
  for (const [face, { loops, isReversed }] of faces.entries()) {
    for (const trim of loops.flat()) {
      if (trim.edge !== undefined) sides[trim.edge]?.push({ face, isAlong: trim.isReversed === isReversed })
    }
  }
  const turns = new Map<number, boolean>()
  const groups: BrepFace[][] = []
  for (const start of faces.keys()) {
    if (turns.has(start)) continue
    const group = [start]
    turns.set(start, false)
    for (const at of group) {
      for (const { edge } of faces[at]?.loops.flat() ?? []) {
        const beside = edge === undefined ? [] : (sides[edge] as Side[])
        checkpoint(beside.length)
        const own = beside.find(({ face }) => face === at)
        if (beside.length !== 2 || !own) continue
        for (const other of beside) {
          if (turns.has(other.face)) continue
          // Consistently oriented faces traverse a common edge in opposite directions.
          turns.set(other.face, (own.isAlong === other.isAlong) !== (turns.get(at) as boolean))
          group.push(other.face)
        }
      }
    }
    group.sort((a, b) => a - b)
    groups.push(group.map((index) => flipFaces(faces[index] as BrepFace, turns.get(index) as boolean)))
  }
  return groups
}

function flipFaces(face: BrepFace, isTurned: boolean): BrepFace {
  return isTurned ? { ...face, isReversed: !face.isReversed } : face
}

/** Orients the faces of a closed brep outwards. */
function lookOutside(brep: Brep): Brep {
  if (!isClosedBrep(brep) || getBrepVolume(brep).size >= 0) return brep
  return { ...brep, faces: brep.faces.map((face) => flipFaces(face, true)) }
}
