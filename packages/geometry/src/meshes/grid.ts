import { checkpoint } from '../budget/budget.ts'
import { type Mesh, quad } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { withNormals } from './vertex-normals.ts'

/** A mesh of quads over rows of points of equal length. */
export function createGridMesh(rows: readonly (readonly Xyz[])[]): Mesh {
  const width = rows[0]?.length ?? 0
  checkpoint(rows.length * width)
  const faces = rows.slice(1).flatMap((_, r) =>
    Array.from({ length: Math.max(0, width - 1) }, (_, c) => {
      const corner = r * width + c
      return quad(corner, corner + 1, corner + width + 1, corner + width)
    }),
  )
  return withNormals({ type: 'mesh', vertices: rows.flat(), faces })
}
