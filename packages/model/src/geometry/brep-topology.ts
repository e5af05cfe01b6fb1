import type { Brep, BrepTrim } from '@meadow/geometry/values/brep'
import { ModelFault } from '../opennurbs/model-fault.ts'

/** A trim with the indices that openNURBS stores with it. */
export interface IndexedTrim {
  trim: BrepTrim
  face: number
  loop: number
  /** The indices of its start and end vertex. */
  vertices: readonly [start: number, end: number]
  /** 1 naked, 2 shared by two faces, 3 a seam of one face, 4 at a pole. */
  kind: 1 | 2 | 3 | 4
}

export interface IndexedLoop {
  face: number
  isOuter: boolean
  /** Indices of `trims`. */
  trims: readonly number[]
}

/** All loops and trims of a brep as lists, and the users of each edge and vertex. */
export interface BrepTopology {
  loops: readonly IndexedLoop[]
  trims: readonly IndexedTrim[]
  /** The trims of each edge. */
  edgeTrims: readonly (readonly number[])[]
  /** The edges at each vertex; a closed edge twice. */
  vertexEdges: readonly (readonly number[])[]
}

/** Lists the topology of a brep. Fails: `ModelFault` for indices out of range. */
export function createTopology(brep: Brep): BrepTopology {
  const loops: IndexedLoop[] = []
  const trims: Omit<IndexedTrim, 'kind'>[] = []
  const edgeTrims = brep.edges.map((): number[] => [])
  brep.faces.forEach((face, faceAt) => {
    face.loops.forEach((loop, loopAt) => {
      const ends = findEnds(brep, loop)
      const first = trims.length
      loop.forEach((trim, i) => {
        if (trim.edge !== undefined) edgeTrims[trim.edge]?.push(first + i)
        trims.push({ trim, face: faceAt, loop: loops.length, vertices: ends[i]! })
      })
      loops.push({ face: faceAt, isOuter: loopAt === 0, trims: loop.map((_, i) => first + i) })
    })
  })
  return {
    loops,
    trims: trims.map((trim) => ({ ...trim, kind: getKind(trim, edgeTrims, trims) })),
    edgeTrims,
    vertexEdges: listVertexEdges(brep),
  }
}

/** The vertices of each trim: those of its edge, or at a pole the common vertex of its neighbours. */
function findEnds(brep: Brep, loop: readonly BrepTrim[]): readonly (readonly [number, number])[] {
  const known = loop.map(({ edge: index, isReversed }): readonly [number, number] | undefined => {
    if (index === undefined) return undefined
    const edge = brep.edges[index]
    if (!edge) throw new ModelFault(`a trim of an edge ${index} that is not there`)
    return isReversed ? [edge.end, edge.start] : [edge.start, edge.end]
  })
  return known.map((ends, i) => {
    if (ends) return ends
    const pole = known.at(i - 1)?.[1] ?? known[(i + 1) % known.length]?.[0]
    if (pole === undefined) throw new ModelFault('a pole without neighbours')
    return [pole, pole]
  })
}

function getKind(
  { trim, loop }: Omit<IndexedTrim, 'kind'>,
  edgeTrims: readonly (readonly number[])[],
  trims: readonly Omit<IndexedTrim, 'kind'>[],
): IndexedTrim['kind'] {
  if (trim.edge === undefined) return 4
  const users = edgeTrims[trim.edge]!
  if (users.length === 1) return 1
  return users.length === 2 && users.every((user) => trims[user]!.loop === loop) ? 3 : 2
}

function listVertexEdges({ vertices, edges }: Brep): number[][] {
  const vertexEdges = vertices.map((): number[] => [])
  edges.forEach(({ start, end }, i) => {
    for (const index of [start, end]) {
      const at = vertexEdges[index]
      if (!at) throw new ModelFault(`an edge of a vertex ${index} that is not there`)
      at.push(i)
    }
  })
  return vertexEdges
}
