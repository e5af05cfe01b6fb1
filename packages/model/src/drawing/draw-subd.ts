import { type Drawing, drawGeometry } from '@meadow/drawing'
import type { Mesh } from '@meadow/geometry/values/mesh'
import type { Xyz } from '@meadow/geometry/values/points'
import type { QuadMesh } from '../worker/refine-subd.ts'

/** Faces that meet at a larger angle have a crease between them: more than those of a tube of eight faces. */
const CREASE_COSINE = Math.cos((50 * Math.PI) / 180)

/** A SubD as a smooth body, with its creases and borders as edges. */
export function drawQuads({ vertices, quads }: QuadMesh): Drawing | undefined {
  const points = Array.from({ length: vertices.length / 3 }, (_, i) => toXyz(vertices, i))
  const corners = Array.from({ length: quads.length / 4 }, (_, i) => [...quads.subarray(4 * i, 4 * i + 4)])
  const normals = corners.map(([a, b, c, d]) =>
    findNormal(points[a!]!, points[b!]!, points[c!]!, points[d!]!),
  )
  const drawing = drawGeometry(toSmoothMesh(points, corners, normals))
  return drawing && { ...drawing, meshEdges: [], edges: listCreases(points, corners, normals) }
}

const toXyz = (numbers: Float64Array, at: number): Xyz => ({
  x: numbers[3 * at]!,
  y: numbers[3 * at + 1]!,
  z: numbers[3 * at + 2]!,
})

/** Each face has corners of its own, whose normals are the means of the faces around that are not behind a crease. */
function toSmoothMesh(
  points: readonly Xyz[],
  corners: readonly (readonly number[])[],
  faceNormals: readonly Xyz[],
): Mesh {
  const around: number[][] = points.map(() => [])
  for (const [face, ring] of corners.entries()) for (const corner of new Set(ring)) around[corner]!.push(face)
  const vertices: Xyz[] = []
  const normals: Xyz[] = []
  const faces: Mesh['faces'][number][] = []
  for (const [face, ring] of corners.entries()) {
    const own = faceNormals[face]!
    const first = vertices.length
    for (const corner of ring) {
      const near = around[corner]!.map((other) => faceNormals[other]!).filter((other) => isSmooth(own, other))
      vertices.push(points[corner]!)
      normals.push(toUnit(near.reduce(add, own)))
    }
    faces.push({ type: 'meshFace', a: first, b: first + 1, c: first + 2, d: first + 3 })
  }
  return { type: 'mesh', vertices, normals, faces }
}

/** The lines between faces that meet at an angle, and at the borders. */
function listCreases(
  points: readonly Xyz[],
  corners: readonly (readonly number[])[],
  normals: readonly Xyz[],
): Xyz[][] {
  const edges = new Map<number, { from: number; to: number; faces: number[] }>()
  for (const [face, ring] of corners.entries()) {
    for (const [i, from] of ring.entries()) {
      const to = ring[(i + 1) % ring.length]!
      if (from === to) continue
      const key = Math.min(from, to) * points.length + Math.max(from, to)
      const edge = edges.get(key)
      if (edge) edge.faces.push(face)
      else edges.set(key, { from, to, faces: [face] })
    }
  }
  const sharp = [...edges.values()].filter(
    ({ faces: [a, b] }) => b === undefined || !isSmooth(normals[a!]!, normals[b]!),
  )
  return sharp.map(({ from, to }) => [points[from]!, points[to]!])
}

const isSmooth = (a: Xyz, b: Xyz): boolean => a.x * b.x + a.y * b.y + a.z * b.z >= CREASE_COSINE

const add = (a: Xyz, b: Xyz): Xyz => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z })

function toUnit({ x, y, z }: Xyz): Xyz {
  const size = Math.hypot(x, y, z) || 1
  return { x: x / size, y: y / size, z: z / size }
}

/** Returns the normal from the diagonals, so that it exists even if two corners are at one place. */
function findNormal(a: Xyz, b: Xyz, c: Xyz, d: Xyz): Xyz {
  const [ux, uy, uz] = [c.x - a.x, c.y - a.y, c.z - a.z]
  const [vx, vy, vz] = [d.x - b.x, d.y - b.y, d.z - b.z]
  return toUnit({ x: uy * vz - uz * vy, y: uz * vx - ux * vz, z: ux * vy - uy * vx })
}
