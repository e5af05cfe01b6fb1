import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrange, type Box } from './arrange.ts'

const GAPS = { across: 50, down: 20 }

/** Boxes of any size, each fed by some of those before it. */
const boxes = fc
  .array(
    fc.record({
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 300 }),
      feeds: fc.array(fc.nat(), { maxLength: 3 }),
    }),
    { maxLength: 25 },
  )
  .map((drafts) =>
    drafts.map(
      ({ width, height, feeds }, index): Box => ({
        id: String(index),
        width,
        height,
        sources: index === 0 ? [] : feeds.map((feed) => String(feed % index)),
      }),
    ),
  )

test('[DEMO-5] given any boxes, when they are arranged, then none overlap and every wire runs to the right', () => {
  fc.assert(
    fc.property(boxes, (input) => {
      const { corners, width, height } = arrange(input, GAPS)
      const positioned = input.map((box) => ({
        ...box,
        ...(corners.get(box.id) ?? { x: Number.NaN, y: Number.NaN }),
      }))
      for (const a of positioned) {
        assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height)
        for (const source of a.sources) {
          const from = positioned[Number(source)] as (typeof positioned)[number]
          assert.ok(from.x + from.width < a.x)
        }
        for (const b of positioned) {
          const apart =
            a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
          assert.ok(a === b || apart)
        }
      }
    }),
  )
})

test('[DEMO-5] given boxes without sources, when they are arranged, then each is just before its first use', () => {
  const box = (id: string, ...sources: string[]): Box => ({ id, width: 10, height: 10, sources })
  const { corners } = arrange([box('a'), box('b', 'a'), box('late'), box('c', 'b', 'late')], GAPS)
  assert.equal(corners.get('late')?.x, corners.get('b')?.x)
})
