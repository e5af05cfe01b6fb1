import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circle, line } from '@meadow/geometry/values/curves'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Box, point, type TwistedBox, type Xyz } from '@meadow/geometry/values/points'
import { domain, type Value } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { run } from '../../testing/run.ts'

const BOX_MORPH = 'd8940ff0-dd4a-4e74-9361-54df537b50db'
const SURFACE_BOX = '4f65c681-9331-4818-9d54-6290cae686c3'
const SPHERE = 'dabc854d-f50e-408a-b001-d043c7de151d'

const at = (x: number, y: number, z: number): Xyz => ({ x, y, z })
const PLACES = [
  [0, 0, 0],
  [1, 0, 0],
  [1, 1, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 0, 1],
  [1, 1, 1],
  [0, 1, 1],
] as const
const REFERENCE: Box = {
  type: 'box',
  plane: xyPlane(at(1, 2, 3)),
  x: domain(-1, 1),
  y: domain(0, 4),
  z: domain(0, 2),
}
const atShare = (u: number, v: number, w: number) => point(2 * u, 2 + 4 * v, 3 + 2 * w)
const first = (guid: string, inputs: readonly Value[]) => {
  const { outputs, codes } = run(guid, inputs)
  return { value: Object.values(outputs[0] ?? {})[0]?.[0] as Value | null, codes }
}
const coordinate = fc.integer({ min: -9, max: 9 })
const corner = fc.record({ x: coordinate, y: coordinate, z: coordinate }, { noNullPrototype: true })
const corners = fc.array(corner, { minLength: 8, maxLength: 8 })

test('[I-13] given a twisted box, then corners are mapped to its corners, and the middle to their mean', () => {
  fc.assert(
    fc.property(corners, (places) => {
      const target: TwistedBox = { type: 'twistedBox', corners: places }
      const map = (location: Xyz) =>
        first(BOX_MORPH, [point(location.x, location.y, location.z), REFERENCE, target])
          .value as unknown as Xyz
      for (const [i, [u, v, w]] of PLACES.entries())
        assert.ok(distance(map(atShare(u, v, w)), places[i]!) < 1e-9)
      const mean = (axis: keyof Xyz) => places.reduce((sum, place) => sum + place[axis] / 8, 0)
      assert.ok(distance(map(atShare(0.5, 0.5, 0.5)), at(mean('x'), mean('y'), mean('z'))) < 1e-9)
    }),
  )
})

test('[I-13] given a slanted box, then lines are mapped as their ends; given a twisted one, they are a limit', () => {
  const slanted = PLACES.map(([u, v, w]) => at(2 * u + w, v + u, 3 * w))
  const target: TwistedBox = { type: 'twistedBox', corners: slanted }
  const [from, to] = [atShare(0.25, 0.5, 0), atShare(1, 0, 0.75)]
  const { value, codes } = first(BOX_MORPH, [line(from, to), REFERENCE, target])
  assert.deepEqual(codes, ['approximate'])
  assert.ok(typeof value === 'object' && value?.type === 'line')
  assert.ok(distance(value.from, at(0.5, 0.75, 0)) < 1e-9)
  assert.ok(distance(value.to, at(2.75, 1, 2.25)) < 1e-9)
  const twisted = { ...target, corners: [...slanted.slice(0, 7), at(0, 0, 9)] }
  assert.deepEqual(first(BOX_MORPH, [circle(WORLD_XY, 1), REFERENCE, twisted]).codes, ['limit'])
})

test('[I-13] given a sphere, then its boxes are as high as asked for, along the radii', () => {
  const sphere = first(SPHERE, [WORLD_XY, 2]).value as Value
  const part: Value = { type: 'domain2', u: domain(0, 1), v: domain(0, 0.5) }
  const { value } = first(SURFACE_BOX, [sphere, part, 3])
  assert.ok(typeof value === 'object' && value?.type === 'twistedBox')
  const sizes = value.corners.map((place) => distance(place, at(0, 0, 0)))
  for (const [i, size] of sizes.entries()) assert.ok(Math.abs(size - (i < 4 ? 2 : 5)) < 1e-9, `${size}`)
  const outside: Value = { type: 'domain2', u: domain(0, 99), v: domain(0, 1) }
  assert.deepEqual(first(SURFACE_BOX, [sphere, outside, 3]).codes, ['limit'])
})
