import { integrateFace } from '../breps/face-integrals.ts'
import { checkpoint } from '../budget/budget.ts'
import type { Brep } from '../values/brep.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { add, cross, dot, length, ORIGIN, subtract } from '../values/vector.ts'
import { listTriangles } from './face-geometry.ts'

/** An area or a volume, its centroid, and its second moments about the centroid along the world axes: ∫(x − x̄)² … */
export interface Moments {
  readonly size: number
  readonly centroid: Xyz
  readonly second: Xyz
}

/** The integrals of 1, x, y, z, x², y² and z² relative to an origin near the geometry, to keep precision. */
type Sums = readonly [size: number, x: number, y: number, z: number, xx: number, yy: number, zz: number]

/** Returns the moments about the centroid; undefined for a size of zero. */
function toMoments([size, x, y, z, xx, yy, zz]: Sums, origin: Xyz): Moments | undefined {
  if (!(Math.abs(size) > 0) || !Number.isFinite(size)) return undefined
  const centre = { x: x / size, y: y / size, z: z / size }
  return {
    size,
    centroid: add(origin, centre),
    second: { x: xx - x * centre.x, y: yy - y * centre.y, z: zz - z * centre.z },
  }
}

function addSums(all: Iterable<readonly number[]>): Sums {
  const sums: number[] = [0, 0, 0, 0, 0, 0, 0]
  for (const part of all) for (let i = 0; i < 7; i++) sums[i] = sums[i]! + part[i]!
  return sums as unknown as Sums
}

/** The moments of the faces of a brep, which is not empty. */
export function findBrepAreaMoments({ faces, vertices }: Brep): Moments | undefined {
  const origin = vertices[0] ?? ORIGIN
  const parts = faces.map((face) =>
    integrateFace(face, 7, (point, area) => {
      const { x, y, z } = subtract(point, origin)
      const t = length(area)
      return [t, t * x, t * y, t * z, t * x * x, t * y * y, t * z * z]
    }),
  )
  return toMoments(addSums(parts), origin)
}

/** The moments of the inside of a closed brep. Source: the divergence theorem. */
export function findBrepVolumeMoments({ faces, vertices }: Brep): Moments | undefined {
  const origin = vertices[0] ?? ORIGIN
  const parts = faces.map((face) => {
    const sign = face.isReversed ? -1 : 1
    return integrateFace(face, 7, (point, area) => {
      const p = subtract(point, origin)
      const [x, y, z] = [p.x * area.x * sign, p.y * area.y * sign, p.z * area.z * sign]
      return [
        (x + y + z) / 3,
        (x * p.x) / 2,
        (y * p.y) / 2,
        (z * p.z) / 2,
        (x * p.x * p.x) / 3,
        (y * p.y * p.y) / 3,
        (z * p.z * p.z) / 3,
      ]
    })
  })
  return toMoments(addSums(parts), origin)
}

export function findMeshAreaMoments(mesh: Mesh): Moments | undefined {
  return findMeshMoments(mesh, 12, 3, (a, b, c) => length(cross(subtract(b, a), subtract(c, a))) / 2)
}

/** The moments of the inside of a closed mesh, from the tetrahedra between its triangles and a point. */
export function findMeshVolumeMoments(mesh: Mesh): Moments | undefined {
  return findMeshMoments(mesh, 20, 4, (a, b, c) => dot(a, cross(b, c)) / 6)
}

/**
 * The integral of x² over a simplex is its size by `divisor` times (the sum of the squares of the corners' x and the
 * square of their sum); the centroid is the sum of the `corners` by their number. A tetrahedron has one in the origin.
 */
function findMeshMoments(
  mesh: Mesh,
  divisor: number,
  corners: number,
  sizeOf: (a: Xyz, b: Xyz, c: Xyz) => number,
): Moments | undefined {
  const origin = mesh.vertices[0] ?? ORIGIN
  const parts = mesh.faces.flatMap((face) => {
    checkpoint()
    return listTriangles(mesh, face).map((triangle) => {
      const [a, b, c] = triangle.map((corner) => subtract(corner, origin)) as [Xyz, Xyz, Xyz]
      const size = sizeOf(a, b, c)
      const sums = (['x', 'y', 'z'] as const).map((axis) => a[axis] + b[axis] + c[axis])
      const squares = (['x', 'y', 'z'] as const).map(
        (axis, i) => a[axis] ** 2 + b[axis] ** 2 + c[axis] ** 2 + sums[i]! ** 2,
      )
      return [
        size,
        ...sums.map((sum) => (size * sum) / corners),
        ...squares.map((sum) => (size * sum) / divisor),
      ]
    })
  })
  return toMoments(addSums(parts), origin)
}
