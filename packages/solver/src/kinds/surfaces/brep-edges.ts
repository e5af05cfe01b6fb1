import { findTangent, getPoint } from '@meadow/geometry/curves/evaluate'
import { getLength } from '@meadow/geometry/curves/length'
import { findClosestOnSurface } from '@meadow/geometry/surfaces/closest-point'
import { findNormalAt } from '@meadow/geometry/surfaces/evaluate-surface'
import type { Brep, BrepFace } from '@meadow/geometry/values/brep'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import type { Xyz } from '@meadow/geometry/values/points'
import { cross, dot, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { toSubBranches } from '../declaration/sub-branches.ts'

const OTHER_ORDER = 'Faces and edges may be in another order than in Rhino'

export const BREP_EDGES: readonly Kind[] = [
  defineKind({
    guid: '866ee39d-9ebf-4e1d-b209-324c56825605',
    description:
      'Which faces are around each face of a brep, which edges are around it, and which faces have each edge.',
    solve: ([brep], context) => {
      const { faces, edges } = brep
      if (context.path.at(-1) !== 0) {
        context.limit('Which paths several breps of one branch give is not published')
        return []
      }
      context.reserve(4 * (faces.length + edges.length))
      if (faces.length > 1) context.approximate(OTHER_ORDER)
      context.approximate('In Grasshopper, the branches may have other paths')
      const edgesOf = faces.map(listEdges)
      const facesOf = listFacesOfEdges(brep)
      const around = edgesOf.map((own, face) => [
        ...new Set(own.flatMap((edge) => facesOf[edge]!.filter((other) => other !== face))),
      ])
      return [
        toSubBranches(around, context),
        toSubBranches(edgesOf, context),
        toSubBranches(facesOf, context),
      ]
    },
  }),
  defineKind({
    guid: '70905be1-e22f-4fa8-b9ae-e119d417904f',
    description: 'The edges of a brep that end where they start, the others, and the indices of both.',
    solve: ([brep, joinsTangent], context) => {
      const edges = brep.edges.map(({ start, end }, i) => ({ i, isClosed: start === end }))
      const closed = edges.filter(({ isClosed }) => isClosed).map(({ i }) => i)
      const open = edges.filter(({ isClosed }) => !isClosed).map(({ i }) => i)
      if (joinsTangent && open.length > 0) {
        context.limit('Closed chains of tangent edges are not supported')
        return []
      }
      report(brep, context)
      const toCurves = (indices: readonly number[]) => indices.map((i) => brep.edges[i]!.curve)
      return [toCurves(closed), closed, toCurves(open), open]
    },
  }),
  defineKind({
    guid: '8248da39-0729-4e04-8395-267b3259bc2f',
    description:
      'The indices of the edges of a brep that are convex, concave, and convex in some places and concave in others.',
    solve: ([brep], context) => {
      const facesOf = listFacesOfEdges(brep)
      const bends = brep.edges.map((_, edge) =>
        facesOf[edge]!.length === 2 ? findBend(brep, edge, facesOf[edge]!) : 'none',
      )
      if (bends.includes('unclear')) {
        context.limit('Edges between faces that go on in the same direction are not supported')
        return []
      }
      report(brep, context)
      const pick = (bend: string) => [...bends.keys()].filter((i) => bends[i] === bend)
      return [pick('convex'), pick('concave'), pick('mixed')]
    },
  }),
  defineKind({
    guid: 'ff187e6a-84bc-4bb9-a572-b39006a0576d',
    description: 'The edges of a brep whose lengths are between two numbers, and their indices.',
    solve: ([brep, least, most], context) => {
      const found = [...brep.edges.keys()].filter((i) => {
        const size = getLength(brep.edges[i]!.curve)
        return size >= least && size <= most
      })
      report(brep, context)
      return [found.map((i) => brep.edges[i]!.curve), found]
    },
  }),
]

function report({ edges }: Brep, context: KindContext): void {
  context.reserve(edges.length)
  if (edges.length > 1) context.approximate(OTHER_ORDER)
}

const listEdges = ({ loops }: BrepFace): number[] => [
  ...new Set(loops.flat().flatMap(({ edge }) => (edge === undefined ? [] : [edge]))),
]

function listFacesOfEdges({ faces, edges }: Brep): number[][] {
  const found: number[][] = edges.map(() => [])
  for (const [index, face] of faces.entries()) for (const edge of listEdges(face)) found[edge]!.push(index)
  return found
}

/** The parts of an edge at which its bend is looked at. */
const LOOKS = [0.1, 0.3, 0.5, 0.7, 0.9]

/**
 * Whether two faces form a ridge or a valley along an edge. The normal of the first face and the direction along its
 * border give the direction out of it; the second face goes down there from a ridge.
 */
function findBend(brep: Brep, edge: number, [one, other]: readonly number[]): string {
  const { curve } = brep.edges[edge]!
  const { start, end } = getCurveDomain(curve)
  const [face, next] = [brep.faces[one!]!, brep.faces[other!]!]
  const isAgainst = face.loops.flat().find((trim) => trim.edge === edge)!.isReversed !== face.isReversed
  const signs = LOOKS.map((part) => {
    const t = start + part * (end - start)
    const at = getPoint(curve, t)
    const [normal, nextNormal, along] = [findOuter(face, at), findOuter(next, at), findTangent(curve, t)]
    if (!normal || !nextNormal || !along) return 0
    const rise = dot(nextNormal, cross(scale(along, isAgainst ? -1 : 1), normal))
    return Math.abs(rise) <= 1e-6 ? 0 : Math.sign(rise)
  })
  if (signs.includes(0)) return 'unclear'
  const isMixed = signs.some((sign) => sign !== signs[0])
  return isMixed ? 'mixed' : signs[0]! > 0 ? 'convex' : 'concave'
}

function findOuter({ surface, isReversed }: BrepFace, at: Xyz): Xyz | undefined {
  const { u, v } = findClosestOnSurface(surface, at)
  const normal = findNormalAt(surface, u, v)
  return normal && scale(normal, isReversed ? -1 : 1)
}
