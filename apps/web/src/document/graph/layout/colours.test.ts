import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NODE_COLOURS } from '../canvas/paint-nodes.ts'
import { WIRE_COLOURS } from '../canvas/paint-wires.ts'
import { contrastOf, type Scheme, shownFill, shownInk } from './colours.ts'

const SCHEMES: readonly Scheme[] = ['light', 'dark']
/** Of every fourth red, green and blue. */
const COLOURS = Array.from({ length: 5 ** 3 }, (_, index) => {
  const parts = [index % 5, Math.floor(index / 5) % 5, Math.floor(index / 25)]
  return `#${parts
    .map((part) =>
      Math.min(255, part * 64)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
})

/** A translucent fill over another colour, mixed as browsers do. */
function over(fill: string, below: string): string {
  const [at, under] = [fill, below].map((colour) =>
    [1, 3, 5, 7].map((from) => Number.parseInt(colour.slice(from, from + 2) || 'ff', 16)),
  ) as [number[], number[]]
  const opacity = at[3]! / 255
  const parts = [0, 1, 2].map((part) => Math.round(at[part]! * opacity + under[part]! * (1 - opacity)))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

test('[WEB-66] given groups of any colour and opacity, also over each other, when they are shown, then wires on them have a contrast of 3:1', () => {
  for (const scheme of SCHEMES) {
    const { plain, canvas } = WIRE_COLOURS[scheme]
    for (const colour of COLOURS)
      for (const opacity of ['40', '96', 'ff']) {
        const once = over(shownFill(`${colour}${opacity}`, scheme), canvas)
        const twice = over(shownFill(`${colour}${opacity}`, scheme), once)
        for (const fill of [once, twice])
          assert.ok(contrastOf(plain, fill) >= 3, `${scheme} ${colour}${opacity} ${contrastOf(plain, fill)}`)
      }
  }
  assert.equal(shownFill('#fce2ca96', 'light'), '#fce2ca96', 'a colour that is readable stays')
})

test('[WEB-66, WEB-94] given faint wires, when they are drawn on the canvas, then they have a contrast of 3:1, and less than others', () => {
  for (const scheme of SCHEMES) {
    const { plain, faint, canvas } = WIRE_COLOURS[scheme]
    assert.ok(contrastOf(faint, canvas) >= 3, `${scheme} ${contrastOf(faint, canvas)}`)
    assert.ok(contrastOf(faint, canvas) < contrastOf(plain, canvas) / 1.5, scheme)
  }
})

test('[WEB-66] given sketches of any colour, when they are drawn on the canvas, then they have a contrast of 3:1', () => {
  for (const scheme of SCHEMES)
    for (const colour of COLOURS) {
      const ink = shownInk(`${colour}ff`, scheme)
      assert.ok(contrastOf(ink, WIRE_COLOURS[scheme].canvas) >= 3, `${scheme} ${colour} as ${ink}`)
    }
})

test('[WEB-66] given nodes in any state, when their names are written, then these have a contrast of 4.5:1', () => {
  for (const scheme of SCHEMES)
    for (const [look, [fill, text]] of Object.entries(NODE_COLOURS[scheme]))
      assert.ok(contrastOf(fill, text) >= (look === 'disabled' ? 3 : 4.5), `${scheme} ${look}`)
})

test('[WEB-66] given a node that is not supported in a group of the usual colour, when both are shown, then they differ', () => {
  for (const scheme of SCHEMES) {
    const group = over(shownFill('#aa87ff96', scheme), WIRE_COLOURS[scheme].canvas)
    assert.ok(contrastOf(NODE_COLOURS[scheme].unsupported[0], group) >= 2, scheme)
  }
})
