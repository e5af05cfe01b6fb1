import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { extrudeCurve } from '@meadow/geometry/sweeps/extrude'
import { circle, line } from '@meadow/geometry/values/curves'
import { quad } from '@meadow/geometry/values/mesh'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import { domain, type Geometry } from '@meadow/geometry/values/value'
import { drawGeometry } from './draw-geometry.ts'
import { findRoughBounds, type Sketch, sketchGeometry } from './sketch-geometry.ts'

/** The area of the triangles. */
function measureArea({ positions, triangles }: Pick<Sketch, 'positions' | 'triangles'>): number {
  const at = (i: number) => [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!] as const
  let area = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [at(triangles[i]!), at(triangles[i + 1]!), at(triangles[i + 2]!)]
    const [u, v] = [b.map((x, k) => x - a[k]!), c.map((x, k) => x - a[k]!)]
    area +=
      Math.hypot(
        u[1]! * v[2]! - u[2]! * v[1]!,
        u[2]! * v[0]! - u[0]! * v[2]!,
        u[0]! * v[1]! - u[1]! * v[0]!,
      ) / 2
  }
  return area
}

const sphere = createSphere(WORLD_XY, 5)
const box = toBrep({ type: 'box', plane: WORLD_XY, x: domain(0, 4), y: domain(0, 2), z: domain(0, 3) })!
const tube = extrudeCurve(circle(WORLD_XY, 3), { x: 0, y: 0, z: 8 }, 0.001)

test('[DRAW-9] given bodies, when they are sketched in a large picture, then their areas are those of drawings; in a small one there are fewer triangles', () => {
  for (const geometry of [sphere, box, tube] as Geometry[]) {
    const drawing = drawGeometry(geometry)!
    const [large, small] = [sketchGeometry(geometry, 0.01)!, sketchGeometry(geometry, 2)!]
    const [area, expected] = [measureArea(large), measureArea(drawing)]
    assert.ok(Math.abs(area - expected) < 0.02 * expected, `${geometry.type}: ${area} for ${expected}`)
    assert.ok(large.triangles.length <= 2 * drawing.triangles.length)
    assert.ok(small.triangles.length <= large.triangles.length)
    assert.ok(measureArea(small) > 0.3 * expected)
  }
})

test('[DRAW-9] given curves, points and meshes, when they are sketched, then nothing but what is seen is there; what is not finite has no sketch', () => {
  const segment = line({ x: 0, y: 0, z: 0 }, { x: 3, y: 0, z: 4 })
  assert.deepEqual(sketchGeometry(segment, 0.1)?.curves, [[segment.from, segment.to]])
  const vertices = [
    { x: 0, y: 0, z: 0 },
    { x: 1, y: 0, z: 0 },
    { x: 1, y: 1, z: 0 },
    { x: 0, y: 1, z: 0 },
  ]
  const sketch = sketchGeometry({ type: 'mesh', vertices, faces: [quad(0, 1, 2, 3)] }, 0.1)!
  assert.deepEqual([sketch.triangles, sketch.edges, sketch.normals], [[0, 1, 2, 0, 2, 3], [], undefined])
  const broken = { x: Number.NaN, y: 0, z: 0 }
  assert.equal(sketchGeometry({ type: 'point', ...broken }, 1), undefined)
  assert.equal(sketchGeometry({ type: 'mesh', vertices: [broken], faces: [] }, 1), undefined)
  assert.equal(sketchGeometry(WORLD_XY, 1), undefined)
  assert.deepEqual(findRoughBounds(box), { min: { x: 0, y: 0, z: 0 }, max: { x: 4, y: 2, z: 3 } })
})
