import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getBrepArea, getBrepVolume } from '../breps/brep-mass.ts'
import { toBrep } from '../breps/to-brep.ts'
import { getMeshArea, getMeshVolume } from '../meshes/mesh-mass.ts'
import { capPlanarHoles } from '../regions/cap-holes.ts'
import { createPlanarBreps } from '../regions/planar-breps.ts'
import { createSphere } from '../surfaces/revolve.ts'
import { extrudeBrep, extrudeCurve } from '../sweeps/extrude.ts'
import { getEulerCharacteristic, isClosedMesh } from '../testing/meshes.ts'
import type { Brep } from '../values/brep.ts'
import { circle, line, polyline } from '../values/curves.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import type { Mesh } from '../values/mesh.ts'
import { WORLD_XY, xyPlane } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { meshBrep } from './mesh-brep.ts'
import { DEFAULT_SETTINGS, type MeshSettings } from './mesh-settings.ts'

const TOLERANCE = 0.001
const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const closed = (...points: Xyz[]) => polyline([...points, points[0]!])
const rectangle = (width: number, height: number, x = 0, y = 0) =>
  closed(at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height))
const fill = (...curves: Parameters<typeof createPlanarBreps>[0]): Brep =>
  createPlanarBreps(curves, TOLERANCE).breps[0]!

/** With their Euler characteristic. */
const SOLIDS: Record<string, [Brep, number]> = {
  box: [
    toBrep({ type: 'box', plane: xyPlane(at(100, 0)), x: domain(0, 2), y: domain(0, 3), z: domain(0, 4) })!,
    2,
  ],
  sphere: [toBrep(createSphere(xyPlane(at(0, 3)), 2))!, 2],
  cylinder: [extrudeBrep(fill(circle(WORLD_XY, 5)), at(0, 0, 3), TOLERANCE), 2],
  'plate with two holes': [
    extrudeBrep(
      fill(rectangle(10, 6), circle(xyPlane(at(3, 3)), 2), rectangle(1, 2, 7, 2)),
      at(0, 0, 1),
      TOLERANCE,
    ),
    -2,
  ],
  'slanted prism': [
    capPlanarHoles(
      extrudeCurve(closed(at(0, 0), at(4, 0), at(1, 1), at(0, 4)), at(1, 1, 5), TOLERANCE),
      TOLERANCE,
    )!.brep,
    2,
  ],
}

function near(actual: number, expected: number, relative: number): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual} is not near ${expected}`)
}
const settings = (changes: Partial<MeshSettings>): MeshSettings => ({ ...DEFAULT_SETTINGS, ...changes })

for (const [name, [solid, characteristic]] of Object.entries(SOLIDS)) {
  test(`[MESH-1, MESH-2] given a ${name}, when it is meshed, then the mesh is closed, looks outwards, and has about its area and volume`, () => {
    assert.ok(isClosedBrep(solid))
    for (const [degrees, slack] of [
      [15, 0.03],
      [3, 0.0015],
    ] as const) {
      const mesh = meshBrep(solid, settings({ maxAngle: (degrees * Math.PI) / 180 }))!
      assert.ok(isClosedMesh(mesh))
      assert.equal(getEulerCharacteristic(mesh), characteristic)
      near(getMeshArea(mesh).size, getBrepArea(solid).size, slack)
      near(getMeshVolume(mesh).size, getBrepVolume(solid).size, slack)
      for (const { x, y, z } of mesh.normals!) near(Math.hypot(x, y, z), 1, 1e-9)
    }
  })
}

test('[MESH-3] given a box, when it is meshed, then each side is one quad', () => {
  const mesh = meshBrep(SOLIDS.box![0], DEFAULT_SETTINGS)!
  assert.deepEqual([mesh.vertices.length, mesh.faces.length], [24, 6])
  assert.ok(mesh.faces.every(({ c, d }) => c !== d))
})

const longestEdge = (mesh: Mesh) =>
  Math.max(
    ...mesh.faces.flatMap(({ a, b, c, d }) =>
      [
        [a, b],
        [b, c],
        [c, d],
        [d, a],
      ].map(([i, j]) => distance(mesh.vertices[i!]!, mesh.vertices[j!]!)),
    ),
  )

test('[MESH-4] given settings, when a solid is meshed, then they hold', () => {
  const [cylinder] = SOLIDS.cylinder!
  const [sphere] = SOLIDS.sphere!
  assert.ok(longestEdge(meshBrep(cylinder, settings({ maxEdge: 1, hasSimplePlanes: false }))!) < 1.5)
  const round = meshBrep(sphere, settings({ maxDistance: 0.001 }))!
  near(getMeshVolume(round).size, getBrepVolume(sphere).size, 0.003)
  const coarse = meshBrep(sphere, settings({ maxAngle: Math.PI / 4, minCount: 0 }))!
  const fine = meshBrep(sphere, settings({ maxAngle: Math.PI / 4, minCount: 1000 }))!
  assert.ok(coarse.faces.length < 200 && fine.faces.length > 1500)
  assert.ok(meshBrep(sphere, settings({ maxCount: 50 }))!.faces.length < 200)
  const [box] = SOLIDS.box!
  const dense = meshBrep(box, settings({ hasSimplePlanes: false }))!
  assert.ok(isClosedMesh(dense) && dense.faces.length > 6 * 16)
  near(getMeshVolume(dense).size, 24, 1e-9)
})

test('[MESH-1] given any prism over a star, when it is meshed, then its volume is exact', () => {
  const star = fc
    .array(fc.double({ min: 1, max: 3, noNaN: true }), { minLength: 3, maxLength: 24 })
    .map((radii) =>
      closed(
        ...radii.map((radius, i) => {
          const angle = (2 * Math.PI * i) / radii.length
          return at(radius * Math.cos(angle), radius * Math.sin(angle))
        }),
      ),
    )
  fc.assert(
    fc.property(star, fc.boolean(), (outline, isSimple) => {
      const solid = extrudeBrep(fill(outline), at(0.5, 0.25, 2), TOLERANCE)
      const mesh = meshBrep(solid, settings({ hasSimplePlanes: isSimple, maxEdge: isSimple ? 0 : 0.5 }))!
      assert.ok(isClosedMesh(mesh))
      near(getMeshVolume(mesh).size, getBrepVolume(solid).size, 1e-9)
    }),
    { numRuns: 40 },
  )
})

test('[MESH-5] given a face whose loop crosses itself, when it is meshed, then there is no mesh', () => {
  const [face] = fill(rectangle(1, 1)).faces
  const corners = [at(0, 0), at(1, 1), at(1, 0), at(0, 1)]
  const edges = corners.map((from, i) => ({
    curve: line(from, corners[(i + 1) % 4]!),
    start: i,
    end: (i + 1) % 4,
  }))
  const loop = edges.map(({ curve }, edge) => ({
    curve: polyline([curve.from, curve.to]),
    edge,
    isReversed: false,
  }))
  const crossed: Brep = { type: 'brep', vertices: corners, edges, faces: [{ ...face!, loops: [loop] }] }
  assert.equal(meshBrep(crossed, DEFAULT_SETTINGS), undefined)
})
