import { checkpoint, reserveValues } from '../budget/budget.ts'
import { findBoundsOfPoints } from '../values/bounding-box.ts'
import { type Polyline, polyline } from '../values/curves.ts'
import type { Mesh } from '../values/mesh.ts'
import { flipPlane } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { areEqual, distance, interpolate } from '../values/vector.ts'
import { listIndices } from './face-geometry.ts'
import { createMeshTopology, type MeshTopology } from './topology.ts'

/** Heights of this part of the size of the mesh count as zero: rounding errors of the plane. */
const ROUNDING = 1e-12

/**
 * The heights of the topological vertices of a mesh over a plane, and the points where its edges pass through it. What
 * lies in the plane counts as below it, so that each face is either on one side or cut once (a bent quad: twice).
 */
export interface MeshCut {
  readonly topology: MeshTopology
  isAbove(vertex: number): boolean
  isOn(vertex: number): boolean
  /** Returns the point of the plane on the edge between a vertex above it and one below it. */
  findCrossing(one: number, other: number): Xyz
}

export function createMeshCut(
  mesh: Mesh,
  plane: Plane,
  topology: MeshTopology = createMeshTopology(mesh),
): MeshCut {
  const { points } = topology
  reserveValues(points.length)
  const bounds = findBoundsOfPoints(points)
  const size = bounds ? distance(bounds.min, bounds.max) + distance(bounds.min, plane.origin) : 0
  const { origin, zAxis } = plane
  const heights = new Float64Array(points.length)
  checkpoint(points.length)
  for (let i = 0; i < points.length; i++) {
    const { x, y, z } = points[i]!
    const height = (x - origin.x) * zAxis.x + (y - origin.y) * zAxis.y + (z - origin.z) * zAxis.z
    heights[i] = Math.abs(height) <= ROUNDING * size ? 0 : height
  }
  return {
    topology,
    isAbove: (vertex) => heights[vertex]! > 0,
    isOn: (vertex) => heights[vertex] === 0,
    findCrossing(one, other) {
      const [a, b] = one < other ? [one, other] : [other, one]
      if (heights[a] === 0) return points[a]!
      if (heights[b] === 0) return points[b]!
      return interpolate(points[a]!, points[b]!, heights[a]! / (heights[a]! - heights[b]!))
    },
  }
}

/** Finds the curves in which a mesh and planes intersect, also where a face is in a plane and nothing is above it. */
export function createMeshSections(mesh: Mesh): (plane: Plane) => Polyline[] {
  const topology = createMeshTopology(mesh)
  reserveValues(4 * mesh.faces.length)
  const faces = mesh.faces.map((face) => listIndices(face).map((index) => topology.vertexMap[index]!))
  const cut = (plane: Plane) => cutMesh(faces, createMeshCut(mesh, plane, topology))
  return (plane) => {
    const found = cut(plane)
    return found.length > 0 ? found : cut(flipPlane(plane))
  }
}

/**
 * The curves in which a mesh passes through a plane; closed, unless they end at naked edges. Of faces in the plane, the
 * part of the border towards faces above it.
 * Time: linear in the faces, which are lists of topological vertices.
 */
function cutMesh(
  faces: readonly (readonly number[])[],
  { topology, isAbove, findCrossing }: MeshCut,
): Polyline[] {
  const size = topology.points.length
  const steps = new Map<number, number[]>()
  for (const corners of faces) {
    checkpoint()
    const above = isAbove(corners[0]!)
    if (corners.every((corner) => isAbove(corner) === above)) continue
    const crossed = corners.flatMap((from, i) => {
      const to = corners[(i + 1) % corners.length]!
      return isAbove(from) === isAbove(to) ? [] : [Math.min(from, to) * size + Math.max(from, to)]
    })
    for (let i = 0; i + 1 < crossed.length; i += 2) {
      addStep(steps, crossed[i]!, crossed[i + 1]!)
    }
  }
  const locate = (key: number) => findCrossing(Math.floor(key / size), key % size)
  return listChains(steps).flatMap((chain) => toPolyline(chain.map(locate)))
}

/** Notes that a chain leads from one key to another, and back. */
export function addStep<K>(steps: Map<K, K[]>, one: K, other: K): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const others = steps.get(from)
    if (others) others.push(to)
    else steps.set(from, [to])
  }
}

/** Walks along all steps once: first from open ends, then around closed chains, whose first key is also the last one. */
export function listChains<K>(steps: Map<K, K[]>): K[][] {
  const chains: K[][] = []
  const walk = (start: K) => {
    const chain = [start]
    for (let at = start; ; ) {
      checkpoint()
      const next = steps.get(at)?.pop()
      if (next === undefined) break
      const back = steps.get(next)!
      back.splice(back.indexOf(at), 1)
      chain.push(next)
      at = next
    }
    if (chain.length > 1) chains.push(chain)
  }
  for (const [key, ends] of steps) if (ends.length % 2 === 1) walk(key)
  for (const key of steps.keys()) while (steps.get(key)!.length > 0) walk(key)
  return chains
}

/** Creates a polyline without repeated points, which arise where the plane passes through a vertex. */
export function toPolyline(points: readonly Xyz[]): Polyline[] {
  const distinct = points.filter((point, i) => i === 0 || !areEqual(point, points[i - 1]!))
  return distinct.length > 1 ? [polyline(distinct)] : []
}
