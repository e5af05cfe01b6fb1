import { checkpoint, POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { type Mesh, type MeshFace, quad, triangle } from '../values/mesh.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { listIndices } from './face-geometry.ts'
import { createMeshCut } from './mesh-section.ts'
import { pickFaces } from './pieces.ts'
import { withNormals } from './vertex-normals.ts'

/**
 * The parts of a mesh on both sides of a plane, which stay open where they were cut. Faces in the plane belong to the
 * part below. Cut faces become triangles and quads; the others are kept. A part without faces is undefined.
 */
export function splitMesh(mesh: Mesh, plane: Plane): { above: Mesh | undefined; below: Mesh | undefined } {
  const { topology, isAbove, isOn, findCrossing } = createMeshCut(mesh, plane)
  const vertices: Xyz[] = [...mesh.vertices]
  const sides = { above: [] as MeshFace[], below: [] as MeshFace[] }
  const crossings = new Map<string, number>()
  const takeCrossing = (a: number, b: number): number => {
    const key = a < b ? `${a},${b}` : `${b},${a}`
    const known = crossings.get(key)
    if (known !== undefined) return known
    const index = vertices.push(findCrossing(topology.vertexMap[a]!, topology.vertexMap[b]!)) - 1
    crossings.set(key, index)
    return index
  }
  const goesAbove = (index: number) => isAbove(topology.vertexMap[index]!)
  const isInPlane = (index: number) => isOn(topology.vertexMap[index]!)
  reserveValues(2 * mesh.faces.length, POINT_BYTES)
  for (const face of mesh.faces) {
    checkpoint()
    const corners = listIndices(face)
    const above = corners.filter(goesAbove)
    if (above.length === 0) sides.below.push(face)
    else if (corners.every((corner) => goesAbove(corner) || isInPlane(corner))) sides.above.push(face)
    else {
      for (const part of listParts(corners)) {
        sides.above.push(...fan(clip(part, goesAbove, isInPlane, takeCrossing)))
        sides.below.push(...fan(clip(part, (index) => !goesAbove(index), isInPlane, takeCrossing)))
      }
    }
  }
  const cut: Mesh = { type: 'mesh', vertices, faces: [...sides.above, ...sides.below] }
  const coloured = mesh.colours && crossings.size === 0 ? { ...cut, colours: mesh.colours } : cut
  const pick = (from: number, count: number) =>
    count === 0
      ? undefined
      : withNormals(
          pickFaces(
            coloured,
            Array.from({ length: count }, (_, i) => from + i),
          ),
        )
  return { above: pick(0, sides.above.length), below: pick(sides.above.length, sides.below.length) }
}

/** A quad is cut as the two triangles that its area is computed from, so that each is cut once. */
function listParts(corners: readonly number[]): number[][] {
  const [a, b, c, d] = corners as [number, number, number, number?]
  return d === undefined
    ? [[a, b, c]]
    : [
        [a, b, c],
        [a, c, d],
      ]
}

/** The corners of the part of a triangle on one side, in their order. */
function clip(
  corners: readonly number[],
  isInside: (index: number) => boolean,
  isInPlane: (index: number) => boolean,
  takeCrossing: (a: number, b: number) => number,
): number[] {
  return corners.flatMap((from, i) => {
    const to = corners[(i + 1) % corners.length]!
    const own = isInside(from) || isInPlane(from) ? [from] : []
    const isCut = isInside(from) !== isInside(to) && !isInPlane(from) && !isInPlane(to)
    return isCut ? [...own, takeCrossing(from, to)] : own
  })
}

function fan(corners: readonly number[]): MeshFace[] {
  const [a, b, c, d] = corners
  if (a === undefined || b === undefined || c === undefined) return []
  return [d === undefined ? triangle(a, b, c) : quad(a, b, c, d)]
}
