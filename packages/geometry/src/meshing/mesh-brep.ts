import { checkpoint, POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { getPoint } from '../curves/evaluate.ts'
import { sampleCurve } from '../curves/sample-curve.ts'
import { findFaceNormal } from '../meshes/face-geometry.ts'
import { pickFaces } from '../meshes/pieces.ts'
import type { Xy } from '../meshes/predicates.ts'
import { joinMeshes } from '../meshes/rearrange.ts'
import { findNormalAt, getSurfacePoint } from '../surfaces/evaluate-surface.ts'
import type { Brep, BrepFace, BrepLoop, BrepTrim } from '../values/brep.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Mesh } from '../values/mesh.ts'
import { quad, triangle } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { areEqual, distance, dot, scale, Z_AXIS } from '../values/vector.ts'
import { triangulateArea } from './constrained-delaunay.ts'
import { createFaceGrid, type FaceGrid } from './face-grid.ts'
import type { MeshSettings } from './mesh-settings.ts'
import { type EdgeSamples, sampleEdge } from './sample-edge.ts'

/**
 * A mesh that approximates a brep: a mesh for each face, with vertices and normals of its own, joined into one. Faces
 * that share an edge have the same points along it, so that the mesh of a closed brep is closed. Undefined if a face
 * cannot be meshed because its loops cross each other, or it has no extent.
 */
export function meshBrep(brep: Brep, settings: MeshSettings): Mesh | undefined {
  const grids = brep.faces.map(({ surface }) => createFaceGrid(surface, settings))
  if (!grids.every((grid) => grid !== undefined)) return undefined
  const edges = sampleEdges(brep, grids, settings)
  const meshes: Mesh[] = []
  for (const [i, face] of brep.faces.entries()) {
    const mesh = meshFace(face, grids[i]!, edges)
    if (!mesh) return undefined
    meshes.push(mesh)
  }
  return meshes.length === 0 ? undefined : joinMeshes(meshes)
}

/** The points of each edge, along it. They begin and end in vertices of the brep. */
function sampleEdges(
  { vertices, edges, faces }: Brep,
  grids: readonly FaceGrid[],
  settings: MeshSettings,
): EdgeSamples[] {
  const least: number[] = edges.map(({ start, end }) => (start === end ? 3 : 1))
  for (const [i, { loops }] of faces.entries()) {
    for (const { curve, edge } of loops.flat()) {
      if (edge !== undefined) least[edge] = Math.max(least[edge]!, countLines(sampleCurve(curve), grids[i]!))
    }
  }
  return edges.map(({ curve, start, end }, i) => {
    const { points, fractions } = sampleEdge(curve, settings, least[i]!)
    reserveValues(points.length, POINT_BYTES)
    const inner = points.slice(1, -1)
    return { points: [vertices[start] ?? points[0]!, ...inner, vertices[end] ?? points.at(-1)!], fractions }
  })
}

/** The number of lines of the grid that a trim passes. A plane face needs none. */
function countLines(trim: readonly Xy[], { u, v, isSimple }: FaceGrid): number {
  if (isSimple) return 1
  let [across, along] = [0, 0]
  for (const [i, { x, y }] of trim.entries()) {
    const before = trim[i - 1]
    if (!before) continue
    across += Math.abs(u.measure(x) - u.measure(before.x))
    along += Math.abs(v.measure(y) - v.measure(before.y))
  }
  return Math.ceil(Math.max(across, along) - 1e-6)
}

/** A point on the border of a face: its place in space, which is shared, and its parameters on the surface. */
interface BorderPoint {
  readonly point: Xyz
  readonly u: number
  readonly v: number
}

function meshFace(face: BrepFace, grid: FaceGrid, edges: readonly EdgeSamples[]): Mesh | undefined {
  const { surface, isReversed, loops } = face
  const rings = loops.map((loop) => listBorder(loop, face, grid, edges)).filter((ring) => ring.length > 2)
  const border = rings.flat()
  const flat = rings.map((ring) => ring.map(({ u, v }) => ({ x: grid.u.measure(u), y: grid.v.measure(v) })))
  const area = triangulateArea(flat, grid.isSimple)
  if (!area) return undefined
  reserveValues(2 * area.points.length + area.triangles.length, POINT_BYTES)
  const inner = area.points.slice(border.length).map(({ x, y }): BorderPoint => {
    checkpoint()
    const [u, v] = [grid.u.lines[x]!, grid.v.lines[y]!]
    return { point: getSurfacePoint(surface, u, v), u, v }
  })
  const all = [...border, ...inner]
  const vertices = all.map(({ point }) => point)
  // Where the surface has a pole, the points of one side are the same point in space.
  const whole = area.triangles.filter(
    ([a, b, c]) =>
      !areEqual(vertices[a]!, vertices[b]!) &&
      !areEqual(vertices[b]!, vertices[c]!) &&
      !areEqual(vertices[c]!, vertices[a]!),
  )
  const faces = joinQuad(whole, border.length === 4 && all.length === 4, vertices)
  const turned = isReversed
    ? faces.map(({ a, b, c, d }) => (c === d ? triangle(a, c, b) : quad(a, d, c, b)))
    : faces
  const normals = all.map(({ u, v }) => {
    checkpoint()
    const normal = findNormalAt(surface, u, v) ?? Z_AXIS
    return isReversed ? scale(normal, -1) : normal
  })
  const mesh: Mesh = { type: 'mesh', vertices, faces: turned, normals }
  return pickFaces(
    mesh,
    turned.map((_, i) => i),
  )
}

/** A face of four points becomes a quad, unless it has an inward corner. */
function joinQuad(
  triangles: readonly (readonly [number, number, number])[],
  isAlone: boolean,
  vertices: readonly Xyz[],
) {
  const faces = triangles.map((corners) => triangle(...corners))
  if (!isAlone || triangles.length !== 2) return faces
  const whole = quad(0, 1, 2, 3)
  const turned = quad(3, 2, 1, 0)
  const first = findFaceNormal({ type: 'mesh', vertices, faces: [] }, faces[0]!)
  const mesh: Mesh = { type: 'mesh', vertices, faces: [] }
  const normals = [triangle(0, 1, 2), triangle(1, 2, 3), triangle(2, 3, 0), triangle(3, 0, 1)].map((corner) =>
    findFaceNormal(mesh, corner),
  )
  if (!first || !normals.every((normal) => normal && dot(normal, normals[0]!) > 1 - 1e-9)) return faces
  return [dot(first, normals[0]!) > 0 ? whole : turned]
}

/** The points of a loop, without the end of each trim, which is the start of the next one. */
function listBorder(
  loop: BrepLoop,
  face: BrepFace,
  grid: FaceGrid,
  edges: readonly EdgeSamples[],
): BorderPoint[] {
  const corners = loop.map(
    (trim, i) => findStart(trim, edges) ?? findEnd(loop[(i + loop.length - 1) % loop.length]!, edges),
  )
  return loop.flatMap((trim, i) => {
    const samples = sampleCurve(trim.curve)
    const edge = takeSamples(trim, edges)
    if (edge) return locate(trim.curve, edge, face)
    // A side without an edge is a pole, which is one point in space.
    const first = samples[0]!
    const pole = corners[i] ?? getSurfacePoint(face.surface, first.x, first.y)
    const count = Math.max(1, countLines(samples, grid))
    return spread(
      samples,
      Array.from({ length: count }, (_, k) => k / count),
    ).map(({ x, y }) => ({ point: pole, u: x, v: y }))
  })
}

/** The samples of the edge of a trim, in the direction of the trim. */
function takeSamples({ edge, isReversed }: BrepTrim, edges: readonly EdgeSamples[]): EdgeSamples | undefined {
  const samples = edge === undefined ? undefined : edges[edge]
  if (!samples || !isReversed) return samples
  return {
    points: samples.points.toReversed(),
    fractions: samples.fractions.map((fraction) => 1 - fraction).reverse(),
  }
}

const findStart = (trim: BrepTrim, edges: readonly EdgeSamples[]) => takeSamples(trim, edges)?.points[0]
const findEnd = (trim: BrepTrim, edges: readonly EdgeSamples[]) => takeSamples(trim, edges)?.points.at(-1)

/** A trim and its edge have corresponding parameters if their points differ by less than this part of a piece. */
const MATCH = 0.01
/** The number of points of a path between two points of an edge, to compare their lengths. */
const FINENESS = 16

/** The points of an edge, apart from the last one, with the parameters of the surface where they are. */
function locate(
  trim: BrepTrim['curve'],
  { points, fractions }: EdgeSamples,
  { surface }: BrepFace,
): BorderPoint[] {
  const { start, end } = getCurveDomain(trim)
  const direct = fractions.slice(0, -1).map((fraction, k): BorderPoint => {
    checkpoint()
    const { x, y } = getPoint(trim, start + (end - start) * fraction)
    return { point: points[k]!, u: x, v: y }
  })
  const isDirect = direct.every(
    ({ point, u, v }, k) =>
      distance(getSurfacePoint(surface, u, v), point) <= MATCH * distance(point, points[k + 1]!),
  )
  if (isDirect) return direct
  // Otherwise points correspond by the length along trim and edge, which is the same in space.
  const path = refine(sampleCurve(trim), FINENESS * points.length)
  const places = path.map(({ x, y }) => getSurfacePoint(surface, x, y))
  const parameters = spread(path, listFractions(points).slice(0, -1), listFractions(places))
  return parameters.map(({ x, y }, k) => ({ point: points[k]!, u: x, v: y }))
}

/** Adds points, so that there are at least `count` pieces. */
function refine(path: readonly Xy[], count: number): Xy[] {
  const each = Math.ceil(count / (path.length - 1))
  const inner = path.slice(1).flatMap((to, i) => {
    const from = path[i]!
    return Array.from({ length: each }, (_, k) => mix(from, to, k / each))
  })
  return [...inner, path.at(-1)!]
}

const mix = (a: Xy, b: Xy, t: number): Xy => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t })

/** The part of the length of a path before each of its points; equal parts for a path without length. */
function listFractions(points: readonly Xyz[]): number[] {
  let length = 0
  const lengths = points.map((point, i) => {
    if (i > 0) length += distance(point, points[i - 1]!)
    return length
  })
  return lengths.map((before, i) => (length > 0 ? before / length : i / (points.length - 1)))
}

/** The points of a path at ascending fractions, by those of its own points. */
function spread(
  path: readonly Xy[],
  wanted: readonly number[],
  own: readonly number[] = path.map((_, i) => i / (path.length - 1)),
): Xy[] {
  let at = 0
  return wanted.map((fraction) => {
    checkpoint()
    while (at < path.length - 2 && own[at + 1]! < fraction) at++
    const [before, after] = [own[at]!, own[at + 1]!]
    return mix(
      path[at]!,
      path[at + 1]!,
      after > before ? Math.min(Math.max((fraction - before) / (after - before), 0), 1) : 0,
    )
  })
}
