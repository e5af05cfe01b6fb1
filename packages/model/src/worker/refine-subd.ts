import type { MeshFaceList, MeshVertexList, RhinoModule, SubD } from 'rhino3dm'
import { hold } from './library.ts'

/** Quads that approximate a SubD. Their corners are on its surface. */
export interface QuadMesh {
  /** Three numbers for each vertex. */
  vertices: Float64Array
  /** Four vertices for each quad. */
  quads: Uint32Array
}

/** The number of faces to refine to. Each takes about 50 microseconds. */
const WANTED_FACES = 30_000
const MAX_FACES = 100_000
const MAX_LEVEL = 3

/** A SubD with members that the library's types lack. */
type RefinedSubD = SubD & { faceCount: number; subdivide(levels: number): boolean; vertices(): Vertices }
interface Vertices {
  count: number
  first(): Vertex
  next(): Vertex
}
interface Vertex {
  controlNetPoint: number[]
  surfacePoint: number[]
}

/** Refines a SubD, which changes it. Null for a SubD without faces or with too many. */
export function refineSubD(rhino: RhinoModule, object: SubD): QuadMesh | null {
  const subD = object as unknown as RefinedSubD
  const level = findLevel(subD.faceCount)
  if (level === undefined || !subD.subdivide(level)) return null
  const toMesh = rhino.Mesh.createFromSubDControlNet as unknown as (
    subD: object,
    withColours: boolean,
  ) => object
  using net = hold(toMesh(subD, false) as { vertices(): MeshVertexList; faces(): MeshFaceList } | null)
  if (!net) return null
  using vertices = hold(net.vertices())
  using faces = hold(net.faces())
  return { vertices: moveToSurface(subD, vertices), quads: listQuads(faces) }
}

function findLevel(faces: number): number | undefined {
  if (faces === 0 || 4 * faces > MAX_FACES) return undefined
  const level = Math.floor(Math.log(WANTED_FACES / faces) / Math.log(4))
  return Math.min(Math.max(level, 1), MAX_LEVEL)
}

/** The vertices of the net on the surface. They have another order than those of the SubD, but equal places. */
function moveToSurface(subD: RefinedSubD, net: MeshVertexList): Float64Array {
  const onSurface = new Map<string, number[]>()
  using iterator = hold(subD.vertices())
  const { count } = iterator
  for (let i = 0; i < count; i++) {
    using vertex = hold(i === 0 ? iterator.first() : iterator.next())
    onSurface.set(toPlace(vertex.controlNetPoint), vertex.surfacePoint)
  }
  const moved = new Float64Array(3 * net.count)
  for (let i = 0; i < net.count; i++) {
    const point = net.get(i) as unknown as number[]
    moved.set(onSurface.get(toPlace(point)) ?? point, 3 * i)
  }
  return moved
}

/** Meshes have single precision. */
const toPlace = (point: readonly number[]): string => point.map(Math.fround).join()

function listQuads(faces: MeshFaceList): Uint32Array {
  const quads = new Uint32Array(4 * faces.count)
  for (let i = 0; i < faces.count; i++) quads.set(faces.get(i) as unknown as number[], 4 * i)
  return quads
}
