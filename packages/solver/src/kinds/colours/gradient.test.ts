import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Colour, colour } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { run } from '../../testing/run.ts'

const GRADIENT = '6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7'
const BLACK_TO_WHITE = [grip(0, '#000000ff'), grip(1, '#ffffffff')]

function grip(position: number, left: string, right = left) {
  return { position, left, right }
}

function shade(grips: unknown, parameter: number | null, { isLinear = true, limits = [0, 1] } = {}) {
  const state = { kind: 'gradient', isLinear, grips }
  const { outputs, messages } = run(GRADIENT, [limits[0] ?? 0, limits[1] ?? 1, parameter], { state })
  return { colour: outputs[0]?.['{0}']?.[0] as Colour | null | undefined, messages }
}

test('[I-1] given a linear gradient, when places fall on whole channels, then the colours are exact', () => {
  // A fifth of 255 is 51.
  for (const [place, channel] of [0, 0.2, 0.4, 0.6, 0.8, 1].map((place, i) => [place, 51 * i] as const)) {
    assert.deepEqual(shade(BLACK_TO_WHITE, place), {
      colour: colour(channel, channel, channel),
      messages: [],
    })
  }
  const limits = [10, -10]
  assert.deepEqual(shade(BLACK_TO_WHITE, 6, { limits }).colour, colour(51, 51, 51))
  const faint = [grip(0, '#ff000000'), grip(1, '#0000ffff')]
  assert.deepEqual(shade(faint, 0.2).colour, colour(204, 0, 51, 51))
})

test('[I-1] given channels between whole numbers, when a colour is found, then it is rounded and marked approximate', () => {
  const { colour: grey, messages } = shade(BLACK_TO_WHITE, 0.3)
  // 0.3 of 255 is 76.5.
  assert.ok(grey && [76, 77].includes(grey.red))
  assert.match(messages.join(), /^remark: .*differ from Rhino's by 1$/)
})

test('[I-1] given numbers outside of the limits, even infinite ones, then they have the outer colours of the ends', () => {
  const grips = [grip(0.25, '#010101ff', '#020202ff'), grip(0.75, '#030303ff', '#040404ff')]
  for (const low of [-Infinity, -1e308, 0, 0.2]) assert.deepEqual(shade(grips, low).colour, colour(1, 1, 1))
  for (const high of [0.8, 1, 1e308, Infinity]) assert.deepEqual(shade(grips, high).colour, colour(4, 4, 4))
  assert.match(shade(grips, 0.25).messages.join(), /^remark: On a grip of two colours/)
})

test('[I-1] given a smooth gradient, when the place is a grip, the middle, or between equal colours, then the colour is exact', () => {
  const traffic = [grip(0, '#008000ff'), grip(0.5, '#ffff00ff'), grip(1, '#ff0000ff')]
  const isLinear = false
  for (const [place, expected] of [
    [0, colour(0, 128, 0)],
    [0.5, colour(255, 255, 0)],
    [1, colour(255, 0, 0)],
  ] as const) {
    assert.deepEqual(shade(traffic, place, { isLinear }), { colour: expected, messages: [] })
  }
  const even = [grip(0, '#000000ff'), grip(1, '#0a1464ff')]
  assert.deepEqual(shade(even, 0.5, { isLinear }), { colour: colour(5, 10, 50), messages: [] })
  assert.deepEqual(shade([grip(0, '#123456ff'), grip(1, '#123456ff')], 0.3, { isLinear }), {
    colour: colour(0x12, 0x34, 0x56),
    messages: [],
  })
})

test('[I-1] given a smooth gradient, when the place is elsewhere, then the colour is symmetric, keeps its order, and is marked approximate', () => {
  const at = (place: number) => shade(BLACK_TO_WHITE, place, { isLinear: false })
  assert.match(at(0.2).messages.join(), /not published/)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.5, noNaN: true }), (place) => {
      const [low, high] = [at(place).colour?.red ?? -1, at(1 - place).colour?.red ?? -1]
      // Slow near the grips: a smooth change is below the linear one in its first half.
      return Math.abs(low + high - 255) <= 1 && low <= Math.ceil(255 * place)
    }),
  )
})

test('[I-1] given no grips, equal limits, NaN or null, when it runs, then the colour is unknown, or null for null', () => {
  for (const grips of [[], undefined, 'x', [null], [grip(Number.NaN, '#000000ff')], [grip(0, 'red')]]) {
    assert.deepEqual(shade(grips, 0.5).messages, ['error: The gradient has no grips'])
  }
  const limits = [1, 1]
  assert.match(shade(BLACK_TO_WHITE, 1, { limits }).messages.join(), /^error: .* equal limits/)
  assert.match(shade(BLACK_TO_WHITE, Number.NaN).messages.join(), /^error: /)
  assert.equal(shade(BLACK_TO_WHITE, null).colour, null)
  assert.deepEqual(shade([grip(0.5, '#102030ff')], 0.4), { colour: colour(16, 32, 48), messages: [] })
})
