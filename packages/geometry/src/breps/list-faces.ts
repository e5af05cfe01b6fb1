import type { Brep, BrepFace } from '../values/brep.ts'

/** Each face of a brep as a separate brep. */
export function listFaces(brep: Brep): Brep[] {
  return brep.faces.length === 1 ? [brep] : brep.faces.map((face) => pickFaces(brep, [face]))
}

/** A brep of some of the faces, with the edges and vertices that these use. */
export function pickFaces(brep: Brep, faces: readonly BrepFace[]): Brep {
  const edges = createPicker(brep.edges)
  const vertices = createPicker(brep.vertices)
  const picked = faces.map((face) => ({
    ...face,
    loops: face.loops.map((loop) =>
      loop.map((trim) => (trim.edge === undefined ? trim : { ...trim, edge: edges.take(trim.edge) })),
    ),
  }))
  const ownEdges = edges
    .list()
    .map((edge) => ({ ...edge, start: vertices.take(edge.start), end: vertices.take(edge.end) }))
  return { type: 'brep', vertices: vertices.list(), edges: ownEdges, faces: picked }
}

/** The number of trims of each edge. */
export function countUses({ edges, faces }: Brep): number[] {
  const uses = edges.map(() => 0)
  for (const { edge } of faces.flatMap(({ loops }) => loops.flat())) {
    if (edge !== undefined) uses[edge] = (uses[edge] as number) + 1
  }
  return uses
}

/** Assigns new indices to items in the order of first use. */
function createPicker<T>(items: readonly T[]) {
  const indices = new Map<number, number>()
  return {
    take(index: number): number {
      const position = indices.get(index) ?? indices.size
      indices.set(index, position)
      return position
    },
    list: (): T[] => [...indices.keys()].map((index) => items[index] as T),
  }
}
