import openManifold from 'manifold-3d'
import { checkpoint, reserveValues } from '../budget/budget.ts'
import { pickFaces } from '../meshes/pieces.ts'
import { findBoundsOfPoints } from '../values/bounding-box.ts'
import { isTriangle, type Mesh, triangle } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { addScaled, distance, interpolate, scale, subtract } from '../values/vector.ts'

/** The part of the library that is used here. Its own types do not resolve without a bundler. */
export interface MeshLibrary {
  setup(): void
  Mesh: new (shape: { numProp: 3; vertProperties: Float32Array; triVerts: Uint32Array }) => Triangles
  Manifold: {
    new (shape: Triangles): Manifold
    union(all: readonly Manifold[]): Manifold
  }
}

interface Triangles {
  readonly triVerts: Uint32Array
  /** The first of the `triVerts` of each run of triangles with one origin, and their number at the end. */
  readonly runIndex: Uint32Array
  readonly runOriginalID: Uint32Array
}

/** A solid in the memory of the library. */
interface Manifold {
  subtract(other: Manifold): Manifold
  intersect(other: Manifold): Manifold
  /** A copy with other coordinates, which the function writes into its argument. */
  warp(change: (vertex: Triple) => void): Manifold
  getMesh(): Triangles
  delete(): void
}

type Triple = [number, number, number]

export type MeshOperation = 'union' | 'difference' | 'intersection'

/** Combines solids, given as closed meshes whose faces look outwards. */
export interface MeshKernel {
  /**
   * The union of `solids`; their union without that of `others`; or what both unions have in common. The result has
   * triangles only, one vertex for each location, and neither normals nor colours. It may be empty, and may have several
   * pieces and cavities.
   * Undefined if one of the meshes is not closed, or if no mesh has an extent; and for some meshes that cross themselves.
   * Memory: about a kilobyte for each triangle, outside the JavaScript heap; reserved here.
   */
  combine(operation: MeshOperation, solids: readonly Mesh[], others: readonly Mesh[]): Mesh | undefined
  /**
   * The faces of a solid divided where the union of others cuts them: those outside of it, and those inside. Faces that
   * lie on the others belong to one of both. Undefined as for `combine`.
   */
  split(solid: Mesh, cutters: readonly Mesh[]): { readonly outside: Mesh; readonly inside: Mesh } | undefined
}

/** The memory for each triangle, measured for the union of two spheres of 30,000 to 500,000 triangles. */
const BYTES_PER_TRIANGLE = 1000

export const openMeshLibrary = async (): Promise<MeshLibrary> => {
  const library = (await openManifold()) as unknown as MeshLibrary
  library.setup()
  return library
}

export async function openMeshKernel(opened?: MeshLibrary): Promise<MeshKernel> {
  const library = opened ?? (await openMeshLibrary())
  // The library's memory is in an unknown state after an invalid result or a trap, such as running out of memory.
  let isBroken = false
  /**
   * Runs work on meshes, and frees everything that it keeps, even if it fails. Undefined if the meshes have no extent,
   * or the result is invalid.
   */
  function run<T>(meshes: readonly Mesh[], work: (calls: Calls) => T): T | undefined {
    if (isBroken) throw new Error('The kernel for meshes failed before')
    reserveValues(
      meshes.reduce((sum, { faces }) => sum + 2 * faces.length, 0),
      BYTES_PER_TRIANGLE,
    )
    const frame = createFrame(meshes)
    if (!frame) return undefined
    const handles: Manifold[] = []
    try {
      return work(createCalls(library, frame, handles))
    } catch (error) {
      isBroken = error instanceof InvalidResult || (error instanceof Error && error.name === 'RuntimeError')
      if (error instanceof InvalidResult) return undefined
      throw error
    } finally {
      if (!isBroken) for (const handle of handles) handle.delete()
    }
  }

  return {
    combine: (operation, solids, others) =>
      run([...solids, ...others], ({ take, unite, join, give }) => {
        const [ours, theirs] = [take(solids), take(others)]
        if (!ours || !theirs) return undefined
        if (operation === 'union') return give(unite([...ours, ...theirs]))
        return give(join(operation, unite(ours), unite(theirs)))
      }),
    split: (solid, cutters) =>
      run([solid, ...cutters], ({ take, unite, join, giveOwn }) => {
        const [ours, theirs] = [take([solid]), take(cutters)]
        const [own] = ours ?? []
        if (!own || !theirs) return undefined
        const all = unite(theirs)
        return {
          outside: giveOwn(join('difference', own, all), own),
          inside: giveOwn(join('intersection', own, all), own),
        }
      }),
  }
}

/** The library has made triangles of vertices that do not exist, as happens with some meshes that cross themselves. */
class InvalidResult extends Error {}

type Calls = ReturnType<typeof createCalls>

/** The calls of the library that one operation takes. It puts everything to be freed into `handles`. */
function createCalls(library: MeshLibrary, frame: Frame, handles: Manifold[]) {
  const { Manifold } = library
  const keep = (handle: Manifold): Manifold => {
    handles.push(handle)
    return handle
  }
  return {
    /** Hands meshes to the library; undefined if one is not a solid. */
    take(meshes: readonly Mesh[]): Manifold[] | undefined {
      const taken: Manifold[] = []
      for (const mesh of meshes) {
        const { positions, triangles, exact } = toShape(mesh, frame)
        if (triangles.length === 0) continue
        // The library does not free what it refuses.
        if (!isClosed(triangles, exact.size)) return undefined
        const vertProperties = Float32Array.from(positions)
        const triVerts = Uint32Array.from(triangles.flat())
        const rounded = keep(new Manifold(new library.Mesh({ numProp: 3, vertProperties, triVerts })))
        taken.push(
          keep(
            rounded.warp((vertex) => {
              const [x, y, z] = exact.get(toKey(vertex)) ?? vertex
              vertex.splice(0, 3, x, y, z)
            }),
          ),
        )
      }
      return taken
    },
    unite: (all: readonly Manifold[]): Manifold => keep(Manifold.union(all)),
    join: (operation: 'difference' | 'intersection', a: Manifold, b: Manifold): Manifold =>
      keep(operation === 'difference' ? a.subtract(b) : a.intersect(b)),
    give: (result: Manifold): Mesh => toMesh(result, frame, keep),
    /** Returns only the faces that are parts of faces of `own`. */
    giveOwn(result: Manifold, own: Manifold): Mesh {
      const [id] = own.getMesh().runOriginalID
      const { runIndex, runOriginalID } = result.getMesh()
      const faces = [...runOriginalID].flatMap((run, i) => {
        const [first, last] = [runIndex[i]! / 3, runIndex[i + 1]! / 3]
        return run === id ? Array.from({ length: last - first }, (_, k) => first + k) : []
      })
      return pickFaces(toMesh(result, frame, keep), faces)
    },
  }
}

/**
 * The library takes coordinates with single precision. So they are first made relative to the middle and the size of all
 * meshes; and after it has read them, their exact values are written over the rounded ones, which identify them.
 */
interface Frame {
  readonly middle: Xyz
  /** A power of two, so that multiplying by it does not round. */
  readonly factor: number
  /** The vertices by their coordinates in the frame, from which they cannot be computed without rounding. */
  readonly originals: Map<string, Xyz>
}

/**
 * Creates the frame of meshes. Undefined if they have no vertices, or some that are not finite or as far apart as
 * numbers can be.
 */
function createFrame(meshes: readonly Mesh[]): Frame | undefined {
  const bounds = findBoundsOfPoints(meshes.flatMap(({ vertices }) => vertices))
  if (!bounds) return undefined
  const middle = interpolate(bounds.min, bounds.max, 0.5)
  const factor = 2 ** -Math.ceil(Math.log2(distance(bounds.min, bounds.max)))
  return Number.isFinite(factor) && factor > 0 ? { middle, factor, originals: new Map() } : undefined
}

const toKey = ([x, y, z]: Readonly<Triple>): string => `${x},${y},${z}`

/** The triangles of a mesh, with vertices merged whose rounded coordinates are equal, and without degenerate ones. */
function toShape(mesh: Mesh, { middle, factor, originals }: Frame) {
  checkpoint(mesh.vertices.length + mesh.faces.length)
  const exact = new Map<string, Triple>()
  const numbers = new Map<string, number>()
  const positions: number[] = []
  const merged = mesh.vertices.map((vertex) => {
    const { x, y, z } = scale(subtract(vertex, middle), factor)
    // Adding zero turns a negative zero into the other one.
    const rounded: Triple = [Math.fround(x) + 0, Math.fround(y) + 0, Math.fround(z) + 0]
    const key = toKey(rounded)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, exact.size)
    exact.set(key, [x, y, z])
    originals.set(toKey([x, y, z]), vertex)
    positions.push(...rounded)
    return exact.size - 1
  })
  const triangles = listTriangles(mesh)
    .map(([a, b, c]): Triple => [merged[a]!, merged[b]!, merged[c]!])
    .filter(([a, b, c]) => a !== b && b !== c && c !== a)
  return { positions, triangles, exact }
}

/** Whether each edge is passed as often in one direction as in the other. */
function isClosed(triangles: readonly Triple[], count: number): boolean {
  const passes = new Map<number, number>()
  for (const corners of triangles) {
    for (const [i, from] of corners.entries()) {
      const to = corners[(i + 1) % 3]!
      const key = Math.min(from, to) * count + Math.max(from, to)
      passes.set(key, (passes.get(key) ?? 0) + (from < to ? 1 : -1))
    }
  }
  return [...passes.values()].every((sum) => sum === 0)
}

/** A quad is split along its shorter diagonal. */
function listTriangles({ vertices, faces }: Mesh): Triple[] {
  return faces.flatMap((face): Triple[] => {
    const { a, b, c, d } = face
    if (isTriangle(face)) return [[a, b, c]]
    return distance(vertices[a]!, vertices[c]!) <= distance(vertices[b]!, vertices[d]!)
      ? [
          [a, b, c],
          [a, c, d],
        ]
      : [
          [a, b, d],
          [b, c, d],
        ]
  })
}

/** The vertices are read in double precision by a change of coordinates that changes nothing. */
function toMesh(
  result: Manifold,
  { middle, factor, originals }: Frame,
  keep: (handle: Manifold) => Manifold,
): Mesh {
  const { triVerts } = result.getMesh()
  reserveValues(triVerts.length, BYTES_PER_TRIANGLE / 3)
  const vertices: Xyz[] = []
  keep(
    result.warp((vertex) => {
      const [x, y, z] = vertex
      vertices.push(originals.get(toKey(vertex)) ?? addScaled(middle, { x, y, z }, 1 / factor))
    }),
  )
  if (triVerts.some((vertex) => vertex >= vertices.length)) throw new InvalidResult()
  const faces = Array.from({ length: triVerts.length / 3 }, (_, i) =>
    triangle(triVerts[3 * i]!, triVerts[3 * i + 1]!, triVerts[3 * i + 2]!),
  )
  return { type: 'mesh', vertices, faces }
}
