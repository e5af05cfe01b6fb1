import { checkpoint, POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { overlap } from '../values/bounding-box.ts'
import type { Polyline } from '../values/curves.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { cross, distance, dot, interpolate, length, subtract } from '../values/vector.ts'
import { listIndices } from './face-geometry.ts'
import { addStep, listChains, toPolyline } from './mesh-section.ts'
import { findMeshTree, type Leaf, type MeshTree } from './mesh-tree.ts'
import { createMeshTopology } from './topology.ts'

/** What is closer than this part of the size of the meshes touches. */
const TOUCH = 1e-12

/** A triangle of a mesh, with the numbers of its topological vertices. */
interface Triangle {
  readonly id: number
  readonly points: readonly Xyz[]
  readonly vertices: readonly number[]
}

/** A point where an edge of one mesh passes through a triangle of the other, and what tells it from others. */
interface Crossing {
  readonly key: string
  readonly point: Xyz
}

/**
 * The polylines in which two meshes pass through each other; closed, unless they end at naked edges.
 * Undefined where they touch: in a vertex or an edge, or along faces.
 * Time: that of the pairs of triangles whose boxes overlap, which a tree of boxes finds.
 */
export function findMeshCrossings(one: Mesh, other: Mesh): Polyline[] | undefined {
  const [a, b] = [findMeshTree(one), findMeshTree(other)]
  if (!a || !b) return []
  const size = distance(a.min, a.max) + distance(b.min, b.max)
  const [fromOne, fromOther] = [one, other].map(createReader) as [Reader, Reader]
  const points = new Map<string, Xyz>()
  const steps = new Map<string, string[]>()
  for (const [left, right] of listLeafPairs(a, b)) {
    const [p, q] = [fromOne(left), fromOther(right)]
    const [through, back] = [cutTriangle(p, q, size, 'a'), cutTriangle(q, p, size, 'b')]
    if (!through || !back) return undefined
    const ends = [...through, ...back]
    if (ends.length === 0) continue
    if (ends.length !== 2) return undefined
    reserveValues(2, POINT_BYTES)
    for (const { key, point } of ends) points.set(key, point)
    addStep(steps, ends[0]!.key, ends[1]!.key)
  }
  return listChains(steps).flatMap((chain) => toPolyline(chain.map((key) => points.get(key)!)))
}

type Reader = (leaf: Leaf) => Triangle

function createReader(mesh: Mesh): Reader {
  const { vertexMap } = createMeshTopology(mesh)
  return ({ face, corners, points }) => {
    const indices = listIndices(mesh.faces[face]!)
    return {
      id: 2 * face + (corners[2] === 3 ? 1 : 0),
      points,
      vertices: corners.map((corner) => vertexMap[indices[corner]!]!),
    }
  }
}

/** The leaves of two trees whose boxes overlap. */
function* listLeafPairs(a: MeshTree, b: MeshTree): Generator<[Leaf, Leaf]> {
  checkpoint()
  if (!overlap(a, b, 0)) return
  if (a.children) for (const child of a.children) yield* listLeafPairs(child, b)
  else if (b.children) for (const child of b.children) yield* listLeafPairs(a, child)
  else {
    checkpoint(a.leaves!.length * b.leaves!.length)
    for (const left of a.leaves!) for (const right of b.leaves!) yield [left, right]
  }
}

/** Where the edges of a triangle pass through another one; undefined if they touch it. */
function cutTriangle(edges: Triangle, wall: Triangle, size: number, mesh: string): Crossing[] | undefined {
  const found: Crossing[] = []
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3
    // The same for both triangles at an edge, so that both find the same point.
    const [low, high] = edges.vertices[i]! < edges.vertices[j]! ? [i, j] : [j, i]
    const share = cutSegment(edges.points[low]!, edges.points[high]!, wall.points, size)
    if (share === 'touch') return undefined
    if (share === undefined) continue
    const key = `${mesh} ${edges.vertices[low]} ${edges.vertices[high]} ${wall.id}`
    found.push({ key, point: interpolate(edges.points[low]!, edges.points[high]!, share) })
  }
  return found
}

/** The share of a segment up to where it passes through a triangle. */
function cutSegment(p: Xyz, q: Xyz, [a, b, c]: readonly Xyz[], size: number): number | 'touch' | undefined {
  const [across, up, along] = [subtract(b!, a!), subtract(c!, a!), subtract(q, p)]
  const normal = cross(across, up)
  const [low, high] = [dot(normal, subtract(p, a!)), dot(normal, subtract(q, a!))]
  const least = TOUCH * size * length(normal)
  if ((low > least && high > least) || (low < -least && high < -least)) return undefined
  // The volumes between the segment and the sides of the triangle: of one sign for a line that passes through it.
  const [x, y, z] = [a!, b!, c!].map((corner) => subtract(corner, p)) as [Xyz, Xyz, Xyz]
  const volumes = [dot(along, cross(x, y)), dot(along, cross(y, z)), dot(along, cross(z, x))]
  const small = TOUCH * size * size * length(along)
  if (volumes.some((volume) => volume > small) && volumes.some((volume) => volume < -small)) return undefined
  const passes = volumes.every((volume) => Math.abs(volume) > small)
  return passes && Math.min(Math.abs(low), Math.abs(high)) > least ? low / (low - high) : 'touch'
}
