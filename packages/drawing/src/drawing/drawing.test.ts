import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getBrepArea, getBrepVolume } from '@meadow/geometry/breps/brep-mass'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { areaOf, type Flat, triangulatePolygon } from '@meadow/geometry/meshing/triangulate-polygon'
import { capPlanarHoles } from '@meadow/geometry/regions/cap-holes'
import { createPlanarBreps } from '@meadow/geometry/regions/planar-breps'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { extrudeBrep, extrudeCurve } from '@meadow/geometry/sweeps/extrude'
import type { Brep, BrepTrim } from '@meadow/geometry/values/brep'
import { getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { quad, triangle } from '@meadow/geometry/values/mesh'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { point, type Xyz } from '@meadow/geometry/values/points'
import { domain, type Geometry } from '@meadow/geometry/values/value'
import { cross, distance, dot, length, subtract } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { COARSE, type Detail, FINE, ROUGH } from './detail.ts'
import { drawGeometry } from './draw-geometry.ts'
import type { Drawing } from './drawing.ts'

const TOLERANCE = 0.001
const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const closedPolyline = (...points: Xyz[]) => polyline([...points, points[0]!])
const rectangle = (width: number, height: number, x = 0, y = 0) =>
  closedPolyline(p(x, y), p(x + width, y), p(x + width, y + height), p(x, y + height))
const fill = (...curves: Parameters<typeof createPlanarBreps>[0]): Brep =>
  createPlanarBreps(curves, TOLERANCE).breps[0]!
const draw = (geometry: Geometry): Drawing => {
  const drawing = drawGeometry(geometry)
  assert.ok(drawing)
  return drawing
}

const listTriangles = ({ positions, triangles }: Drawing): [Xyz, Xyz, Xyz][] => {
  const at = (number: number): Xyz =>
    p(positions[3 * number]!, positions[3 * number + 1]!, positions[3 * number + 2]!)
  return Array.from({ length: triangles.length / 3 }, (_, i) => [
    at(triangles[3 * i]!),
    at(triangles[3 * i + 1]!),
    at(triangles[3 * i + 2]!),
  ])
}
const measureArea = (drawing: Drawing): number =>
  listTriangles(drawing).reduce(
    (sum, [a, b, c]) => sum + length(cross(subtract(b, a), subtract(c, a))) / 2,
    0,
  )
/** The volume that the triangles enclose; positive if their normals point outwards. */
const measureVolume = (drawing: Drawing): number =>
  listTriangles(drawing).reduce((sum, [a, b, c]) => sum + dot(a, cross(b, c)) / 6, 0)

function near(actual: number, expected: number, relative: number): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual} is not near ${expected}`)
}

const disc = fill(circle(WORLD_XY, 5))
const SOLIDS: Record<string, Brep> = {
  box: toBrep({ type: 'box', plane: xyPlane(p(100, 0)), x: domain(0, 2), y: domain(0, 3), z: domain(0, 4) })!,
  sphere: toBrep(createSphere(xyPlane(p(0, 3)), 2))!,
  cylinder: extrudeBrep(disc, p(0, 0, 3), TOLERANCE),
  'plate with two holes': extrudeBrep(
    fill(rectangle(10, 6), circle(xyPlane(p(3, 3)), 2), rectangle(1, 2, 7, 2)),
    p(0, 0, 1),
    TOLERANCE,
  ),
  'slanted prism': capPlanarHoles(
    extrudeCurve(closedPolyline(p(0, 0), p(4, 0), p(1, 1), p(0, 4)), p(1, 1, 5), TOLERANCE),
    TOLERANCE,
  )!.brep,
}

for (const [name, solid] of Object.entries(SOLIDS)) {
  test(`[DRAW-1, DRAW-2] given a ${name}, when it is drawn, then its triangles cover it and look outwards, and so do the normals`, () => {
    const drawing = draw(solid)
    near(measureArea(drawing), getBrepArea(solid).size, 0.02)
    near(measureVolume(drawing), getBrepVolume(solid).size, 0.03)
    const { normals } = drawing
    for (let i = 0; i < normals.length; i += 3) near(Math.hypot(...normals.slice(i, i + 3)), 1, 1e-9)
    for (const [i, [a, b, c]] of listTriangles(drawing).entries()) {
      const across = cross(subtract(b, a), subtract(c, a))
      // One at a pole may have no area.
      if (length(across) < 1e-9) continue
      const number = drawing.triangles[3 * i]!
      const normal = p(...(normals.slice(3 * number, 3 * number + 3) as [number, number, number]))
      assert.ok(dot(across, normal) > 0, `triangle ${i} of the ${name}`)
    }
  })
}

test('[DRAW-1] given a bent face with a hole in it, when it is drawn, then the hole stays open, and the rest bends', () => {
  const side = extrudeCurve(arc(WORLD_XY, 5, 0, Math.PI), p(0, 0, 10), TOLERANCE)
  const [face] = side.faces
  assert.ok(face)
  const { u, v } = getSurfaceDomains(face.surface)
  const at = (x: number, y: number) => p(u.start + x * (u.end - u.start), v.start + y * (v.end - v.start))
  const corners = [at(0.25, 0.25), at(0.25, 0.75), at(0.75, 0.75), at(0.75, 0.25), at(0.25, 0.25)]
  const trim: BrepTrim = { curve: polyline(corners), isReversed: false }
  const holed: Brep = { ...side, faces: [{ ...face, loops: [...face.loops, [trim]] }] }
  const drawing = draw(holed)
  near(measureArea(drawing), 0.75 * getBrepArea(side).size, 0.02)
  for (const points of listTriangles(drawing)) {
    for (const { x, y } of points) near(Math.hypot(x, y), 5, 1e-6)
    // No triangle bridges the bend: its middle is nearly as far from the axis as its corners.
    const [a, b, c] = points
    near(Math.hypot((a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3), 5, 0.02)
  }
})

test('[DRAW-2] given a fold in one surface, when it is drawn, then both sides keep their own normals', () => {
  const folded = extrudeCurve(polyline([p(0, 0), p(1, 0), p(1, 1)]), p(0, 0, 1), TOLERANCE)
  const { normals } = draw(folded)
  const directions = new Set<string>()
  for (let i = 0; i < normals.length; i += 3) {
    directions.add(
      normals
        .slice(i, i + 3)
        .map((part) => Math.abs(Math.round(part * 1000)))
        .join(),
    )
  }
  assert.deepEqual([...directions].sort(), ['0,1000,0', '1000,0,0'])
})

test('[DRAW-3] given curves, when they are drawn, then their points lie on them, in order, and a closed one ends where it began', () => {
  const [points] = draw(circle(xyPlane(p(1, 2, 3)), 5)).curves
  assert.ok(points)
  for (const location of points) near(distance(location, p(1, 2, 3)), 5, 1e-9)
  near(distance(points[0]!, points.at(-1)!) + 1, 1, 1e-9)
  assert.ok(points.length >= 48)
  const joined: Geometry = { type: 'polyCurve', segments: [line(p(0, 0), p(1, 0)), line(p(1, 0), p(1, 1))] }
  assert.deepEqual(
    draw(joined).curves[0]!.map(({ x, y }) => [Math.round(x), Math.round(y)]),
    [
      [0, 0],
      [1, 0],
      [1, 1],
    ],
  )
  assert.equal(draw(SOLIDS.box!).edges.length, 12)
})

test('[DRAW-1, DRAW-3] given a mesh and a point, when they are drawn, then every face is there, quads as two triangles, and each edge once', () => {
  const vertices = [p(0, 0), p(1, 0), p(1, 1), p(0, 1), p(2, 0)]
  const drawing = draw({ type: 'mesh', vertices, faces: [quad(0, 1, 2, 3), triangle(1, 4, 2)] })
  assert.equal(drawing.triangles.length, 9)
  near(measureArea(drawing), 1.5, 1e-9)
  assert.equal(drawing.meshEdges.length, 6)
  assert.deepEqual(draw(point(1, 2, 3)).points, [point(1, 2, 3)])
})

test('[DRAW-1] given a sphere, when it is drawn coarsely or roughly, then it has a quarter of the triangles, or a thirty-sixth', () => {
  const count = (detail: Detail) => drawGeometry(SOLIDS.sphere!, detail)!.triangles.length / 3
  assert.equal(count(FINE), 48 * 24 * 2)
  assert.equal(count(COARSE), 24 * 12 * 2)
  assert.equal(count(ROUGH), 8 * 4 * 2)
  assert.equal(drawGeometry(SOLIDS.sphere!, ROUGH)!.isocurves.length, 0)
})

test('[DRAW-6] given curved faces, when they are drawn, then isocurves lie on them, inside their loops, and flat faces have none', () => {
  const sphere = draw(createSphere(xyPlane(p(0, 3)), 2))
  assert.ok(sphere.isocurves.length >= 4)
  for (const location of sphere.isocurves.flat()) near(distance(location, p(0, 3)), 2, 1e-9)
  assert.equal(sphere.edges.length, 1, 'the seam once, and no poles')
  assert.equal(draw(SOLIDS.box!).isocurves.length, 0)
  const walls = draw(SOLIDS['plate with two holes']!).isocurves
  assert.equal(walls.length, 3, 'the round hole has a wall of four quarters')
  const arch = draw(extrudeCurve(arc(WORLD_XY, 5, 0, Math.PI), p(0, 0, 10), TOLERANCE))
  assert.deepEqual(
    arch.isocurves.map((points) => distance(points[0]!, points.at(-1)!)),
    [10],
  )
})

test('[DRAW-6] given a face with a hole, when it is drawn, then its isocurves end at the hole', () => {
  const side = extrudeCurve(arc(WORLD_XY, 5, 0, Math.PI), p(0, 0, 10), TOLERANCE)
  const face = side.faces[0]!
  const { u, v } = getSurfaceDomains(face.surface)
  const at = (x: number, y: number) => p(u.start + x * (u.end - u.start), v.start + y * (v.end - v.start))
  const corners = [at(0.25, 0.25), at(0.25, 0.75), at(0.75, 0.75), at(0.75, 0.25), at(0.25, 0.25)]
  const trim: BrepTrim = { curve: polyline(corners), isReversed: false }
  const { isocurves } = draw({ ...side, faces: [{ ...face, loops: [...face.loops, [trim]] }] })
  const lengths = isocurves.map((points) => Math.round(10 * distance(points[0]!, points.at(-1)!)) / 10)
  assert.deepEqual(lengths, [2.5, 2.5])
})

test('[DRAW-7] given bodies, when they are drawn, then closed ones are known', () => {
  for (const solid of Object.values(SOLIDS)) assert.equal(draw(solid).isClosed, true)
  assert.equal(draw(disc).isClosed, false)
  assert.equal(draw(createSphere(WORLD_XY, 2)).isClosed, true)
  assert.equal(draw(SOLIDS.cylinder!.faces.at(-1)!.surface).isClosed, false)
  const vertices = [p(0, 0), p(1, 0), p(0, 1), p(0, 0, 1)]
  const faces = [triangle(0, 2, 1), triangle(0, 1, 3), triangle(1, 2, 3), triangle(0, 3, 2)]
  assert.equal(draw({ type: 'mesh', vertices, faces }).isClosed, true)
  assert.equal(draw({ type: 'mesh', vertices, faces: faces.slice(1) }).isClosed, false)
  // The same with vertices of its own for each face.
  const loose = faces.flatMap(({ a, b, c }) => [vertices[a]!, vertices[b]!, vertices[c]!])
  const apart = [0, 3, 6, 9].map((first) => triangle(first, first + 1, first + 2))
  const drawing = draw({ type: 'mesh', vertices: loose, faces: apart })
  assert.deepEqual([drawing.isClosed, drawing.meshEdges.length], [true, 6])
})

test('[DRAW-5] given what cannot be seen or is not finite, when it is drawn, then there is nothing', () => {
  assert.equal(drawGeometry(xyPlane(p(0, 0))), undefined)
  assert.equal(drawGeometry(point(Number.NaN, 0, 0)), undefined)
  assert.equal(drawGeometry(line(p(0, 0), p(Number.POSITIVE_INFINITY, 0))), undefined)
  const sphere = createSphere(WORLD_XY, 1)
  const points = sphere.points.map((row) => row.map((location) => ({ ...location, x: Number.NaN })))
  assert.equal(drawGeometry({ ...sphere, points }), undefined)
})

/** Any polygon that does not cross itself: points around a middle, by their angle. */
const star = (cx: number, cy: number, from: number, to: number) =>
  fc
    .array(
      fc.record({
        angle: fc.double({ min: 0, max: 1, noNaN: true }),
        far: fc.double({ min: from, max: to, noNaN: true }),
      }),
      {
        minLength: 3,
        maxLength: 40,
      },
    )
    .map((list) =>
      list
        .map(({ angle, far }, i) => ({ angle: (i + angle * 0.9) / list.length, far }))
        .map(
          ({ angle, far }): Flat => ({
            x: cx + far * Math.cos(2 * Math.PI * angle),
            y: cy + far * Math.sin(2 * Math.PI * angle),
          }),
        ),
    )

const flatArea = (points: readonly Flat[], triangles: readonly number[]): number => {
  let sum = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const area = areaOf(triangles.slice(i, i + 3).map((number) => points[number]!))
    assert.ok(area >= 0)
    sum += area
  }
  return sum
}

test('[DRAW-4] given any polygon with holes, when it is cut into triangles, then they cover it and nothing else', () => {
  const holes = fc
    .uniqueArray(fc.constantFrom([-3, -3], [3, -3], [-3, 3], [3, 3], [0, 0]), { maxLength: 5 })
    .chain((middles) => fc.tuple(...middles.map(([x, y]) => star(x!, y!, 0.2, 1.2))))
  fc.assert(
    fc.property(star(0, 0, 8, 12), holes, fc.boolean(), (outer, inner, isTurned) => {
      fc.pre(outer.length > 7)
      const polygons = [isTurned ? outer.toReversed() : outer, ...inner]
      const triangles = triangulatePolygon(polygons[0]!, inner)
      const expected = Math.abs(areaOf(outer)) - inner.reduce((sum, hole) => sum + Math.abs(areaOf(hole)), 0)
      near(flatArea(polygons.flat(), triangles), expected, 1e-6)
    }),
  )
})

test('[DRAW-4, DRAW-5] given any points at all, when they are cut into triangles, then it ends', () => {
  const location = fc.record({ x: fc.integer({ min: -3, max: 3 }), y: fc.integer({ min: -3, max: 3 }) })
  fc.assert(
    fc.property(
      fc.array(location, { maxLength: 30 }),
      fc.array(fc.array(location, { maxLength: 8 }), { maxLength: 3 }),
      (outer, holes) => {
        const triangles = triangulatePolygon(outer, holes)
        const count = outer.length + holes.flat().length
        assert.ok(triangles.every((number) => number >= 0 && number < count))
      },
    ),
  )
})
