import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colour, integer } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { type InputData, run } from '../../testing/run.ts'

const RGB = '49d2e200-b34e-4e1c-82a3-07feb4cb9378'

test('Split ARGB: given a colour, when it runs, then its channels are the result as integers', () => {
  const { outputs } = run('350f7d03-a48f-4121-bcee-328cfe1ed9ef', [colour(1, 2, 3, 128)])
  assert.deepEqual(
    outputs.map((tree) => tree['{0}']?.[0]),
    [integer(128), integer(1), integer(2), integer(3)],
  )
})

test('Colour RGB: given channels, when it runs, then their colour is the result; beyond their range it is an error', () => {
  const { outputs } = run(RGB, [128, 1, 2, 3].map(integer))
  assert.deepEqual(outputs, [{ '{0}': [colour(1, 2, 3, 128)] }])
  assert.equal(run(RGB, [128, 1, 2, 256].map(integer)).messages.length, 1)
})

const FLOATS = 'f35132c0-c298-4b9c-b446-42e960f52677'
const HSL = 'a45d68b3-c299-4b17-bdae-7975f216cec6'
const HSV = '5958a658-20c2-4a2b-86ba-4d1b81bf5348'
const SPLIT_HSL = '0a1331c8-c58d-4b3f-a886-47051532e35e'
const SPLIT_HSV = 'd84d2c2a-2813-4667-afb4-46642581e5f9'
const BLEND = '8b4da37d-1124-436a-9de2-952e4224a220'

const make = (guid: string, inputs: readonly InputData[]) => {
  const { outputs, messages } = run(guid, inputs)
  return { colour: outputs[0]?.['{0}']?.[0], messages }
}

// The colours of CSS Color Module 4, 7 (HSL), and the corners of the cube: red, yellow, green, cyan, blue, magenta.
const NAMED: readonly [
  name: string,
  rgb: readonly [number, number, number],
  hsl: readonly number[],
  hsv: readonly number[],
][] = [
  ['black', [0, 0, 0], [0, 0, 0], [0, 0, 0]],
  ['white', [255, 255, 255], [0, 0, 1], [0, 0, 1]],
  ['red', [255, 0, 0], [0, 1, 0.5], [0, 1, 1]],
  ['yellow', [255, 255, 0], [1 / 6, 1, 0.5], [1 / 6, 1, 1]],
  ['lime', [0, 255, 0], [1 / 3, 1, 0.5], [1 / 3, 1, 1]],
  ['cyan', [0, 255, 255], [0.5, 1, 0.5], [0.5, 1, 1]],
  ['blue', [0, 0, 255], [2 / 3, 1, 0.5], [2 / 3, 1, 1]],
  ['magenta', [255, 0, 255], [5 / 6, 1, 0.5], [5 / 6, 1, 1]],
  ['a pale red', [255, 204, 204], [0, 1, 0.9], [0, 0.2, 1]],
  ['a dark green', [0, 102, 51], [150 / 360, 1, 0.2], [150 / 360, 1, 0.4]],
]

test('[I-10] given known colours, when they are made of their hue, then they are themselves, and split again', () => {
  for (const [name, rgb, hsl, hsv] of NAMED) {
    const expected = { colour: colour(...rgb, 51), messages: [] }
    assert.deepEqual(make(HSL, [0.2, ...hsl]), expected, name)
    assert.deepEqual(make(HSV, [0.2, ...hsv]), expected, name)
    for (const [guid, parts] of [
      [SPLIT_HSL, hsl],
      [SPLIT_HSV, hsv],
    ] as const) {
      const split = run(guid, [colour(...rgb, 51)]).outputs.map((output) => output['{0}']?.[0] as number)
      for (const [i, part] of [0.2, ...parts].entries()) {
        assert.ok(Math.abs((split[i] ?? Number.NaN) - part) < 1e-12, `${name}: ${split}`)
      }
    }
  }
})

test('[I-10] given any colour, when it is split and made again, then it is the same', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(channel, channel, channel, channel, (red, green, blue, alpha) => {
      const made = colour(red, green, blue, alpha)
      for (const [split, join] of [
        [SPLIT_HSL, HSL],
        [SPLIT_HSV, HSV],
      ] as const) {
        const parts = run(split, [made]).outputs.map((output) => output['{0}']?.[0] ?? null)
        assert.deepEqual(make(join, parts), { colour: made, messages: [] })
      }
    }),
  )
})

test('[I-10] given channels from 0 to 1 and blends, when they are whole, then they are exact, otherwise marked', () => {
  assert.deepEqual(make(FLOATS, [1, 0, 0.2, 1]), { colour: colour(0, 51, 255), messages: [] })
  assert.match(make(FLOATS, [1, 0.5, 0, 0]).messages.join(), /^remark: The channels of a colour are rounded/)
  const [black, red] = [colour(0, 0, 0, 0), colour(255, 0, 0)]
  assert.deepEqual(make(BLEND, [black, red, 0.4]), { colour: colour(102, 0, 0, 102), messages: [] })
  assert.deepEqual(make(BLEND, [black, red, 0]).colour, black)
  assert.deepEqual(make(BLEND, [black, red, 1]).colour, red)
})

test('[I-10] given values outside of 0 to 1, NaN and infinite ones, when a colour is made, then that is a limit', () => {
  for (const bad of [-0.1, 1.1, Number.NaN, Infinity, -Infinity, 1e300]) {
    for (const guid of [FLOATS, HSL, HSV]) {
      for (let i = 0; i < 4; i++) {
        const inputs = [0.5, 0.5, 0.5, 0.5].with(i, bad)
        assert.deepEqual(make(guid, inputs).colour, undefined, `${guid} ${i} ${bad}`)
        assert.match(make(guid, inputs).messages.join(), /error: Values below 0 or above 1/)
      }
    }
    assert.match(make(BLEND, [colour(0, 0, 0), colour(1, 1, 1), bad]).messages.join(), /error: Values/)
  }
  assert.equal(make(HSL, [1, null, 0, 0]).colour, null)
})
