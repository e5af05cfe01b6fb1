import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Vector3 } from 'three'
import { STANDARD_VIEWS, type Viewpoint } from './camera/framing.ts'
import { between } from './fly.ts'

const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const anyDirection = fc.oneof(
  fc.constantFrom(...Object.values(STANDARD_VIEWS)),
  fc
    .tuple(coordinate, coordinate, coordinate)
    .map((part) => new Vector3(...part))
    .filter((vector) => vector.length() > 1)
    .map((vector) => vector.normalize()),
)
const anyViewpoint: fc.Arbitrary<Viewpoint> = fc.record({
  target: fc.tuple(coordinate, coordinate, coordinate).map((part) => new Vector3(...part)),
  direction: anyDirection,
  span: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  isParallel: fc.boolean(),
})

test('[WEB-185] given two cameras, when one flies to the other, then it begins and ends at them, turns the shorter way, and never leaves what lies between them', () => {
  fc.assert(
    fc.property(
      anyViewpoint,
      anyViewpoint,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (from, to, fraction) => {
        const near = (a: number, b: number, size: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, size)
        const start = between(from, to, 0)
        assert.ok(start.target.equals(from.target) && near(start.span, from.span, from.span))
        assert.ok(start.direction.distanceTo(from.direction) < 1e-4)
        assert.equal(between(from, to, 1), to)
        const { target, direction, span, isParallel } = between(from, to, fraction)
        assert.ok(near(direction.length(), 1, 1))
        assert.ok(
          near(
            from.target.distanceTo(target) + target.distanceTo(to.target),
            from.target.distanceTo(to.target),
            1e6,
          ),
        )
        assert.ok(
          span >= Math.min(from.span, to.span) * 0.999999 && span <= Math.max(from.span, to.span) * 1.000001,
        )
        const [low, high] = [from.direction.z, to.direction.z].sort((a, b) => a - b)
        assert.ok(direction.z >= low! - 1e-6 && direction.z <= high! + 1e-6)
        if (fraction < 1) assert.equal(isParallel, from.isParallel && to.isParallel)
        // Around the vertical, no step is larger than half a turn in proportion to its length.
        const flat = ({ x, y }: Vector3) => Math.atan2(y, x)
        const turned = Math.abs(flat(direction) - flat(from.direction))
        const turn = Math.min(turned, 2 * Math.PI - turned)
        if (Math.hypot(from.direction.x, from.direction.y) > 1e-3)
          assert.ok(turn <= Math.PI * fraction + 1e-5)
      },
    ),
  )
})
