import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { overlap } from '../values/bounding-box.ts'
import { WORLD_XY } from '../values/planes.ts'
import type { Box } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { findContact } from './find-contact.ts'

const side = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 4 }))
const boxes = fc.tuple(side, side, side).map(([x, y, z]): Box => {
  const [first, second, third] = [x, y, z].map(([start, size]) => domain(start, start + size))
  return { type: 'box', plane: WORLD_XY, x: first!, y: second!, z: third! }
})
const AXES = ['x', 'y', 'z'] as const
const toBounds = ({ x, y, z }: Box) => ({
  min: { x: x.start, y: y.start, z: z.start },
  max: { x: x.end, y: y.end, z: z.end },
})

test('given two boxes, then they cross, are apart, or it is unclear, as their ranges say', () => {
  fc.assert(
    fc.property(boxes, boxes, (a, b) => {
      const contact = findContact(a, b, 0.001)
      assert.equal(findContact(b, a, 0.001), contact)
      const isApart = AXES.some((axis) => a[axis].start > b[axis].end || b[axis].start > a[axis].end)
      const overlaps = AXES.every((axis) => a[axis].start < b[axis].end && b[axis].start < a[axis].end)
      const holds = (one: Box, other: Box) =>
        AXES.every((axis) => one[axis].start < other[axis].start && one[axis].end > other[axis].end)
      // Boxes that are apart may have sides in one plane too, but their bounds say so.
      if (isApart) assert.notEqual(contact, 'crossing')
      assert.equal(isApart, !overlap(toBounds(a), toBounds(b), 0))
      if (!isApart && !overlaps) assert.equal(contact, undefined)
      if (holds(a, b) || holds(b, a)) assert.equal(contact, undefined)
      // Boxes that overlap may have sides in one plane, where it can stay unclear.
      if (overlaps) assert.notEqual(contact, 'apart')
    }),
  )
})

test('given boxes whose corners overlap, or of which one passes through the other, then they cross', () => {
  const box = (x: number, y: number, z: number, width: number, depth: number, height: number): Box => ({
    type: 'box',
    plane: WORLD_XY,
    x: domain(x, x + width),
    y: domain(y, y + depth),
    z: domain(z, z + height),
  })
  const cube = box(0, 0, 0, 2, 2, 2)
  assert.equal(findContact(cube, box(1, 1, 1, 2, 2, 2), 0.001), 'crossing')
  assert.equal(findContact(cube, box(-1, 0.5, 0.5, 4, 1, 1), 0.001), 'crossing')
  assert.equal(findContact(cube, box(0.5, 0.5, 1, 1, 1, 5), 0.001), 'crossing')
})
