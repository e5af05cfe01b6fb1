import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPersonColours, PERSON_COLOURS } from './person-colours.ts'

/** The canvas, light and dark, in `graph-canvas.module.css`, and the header. */
const BACKGROUNDS = ['#eef0ee', '#202423', '#ffffff', '#242424']

const people = Array.from({ length: PERSON_COLOURS.length }, (_, index) => `user_${index}`)

test('[WEB-43] given people, when their colours are asked for again, in any order, then they are the same, and different from each other while there are enough', () => {
  const colourOf = createPersonColours()
  const colours = people.map(colourOf)
  assert.equal(new Set(colours).size, PERSON_COLOURS.length)
  assert.ok((PERSON_COLOURS as readonly string[]).includes(colourOf('one more')))
  assert.deepEqual(people.toReversed().map(colourOf).toReversed(), colours)
})

test('[WEB-43] given two windows that see different people, when nobody’s colours collide, then a person has the same colour in both', () => {
  const first = (id: string) => createPersonColours()(id)
  const [one, other] = [createPersonColours(), createPersonColours()]
  const distinct = people.filter((id, index) => people.findIndex((p) => first(p) === first(id)) === index)
  assert.ok(distinct.length > 3)
  for (const id of distinct) one(id)
  for (const id of distinct.toReversed()) assert.equal(other(id), one(id))
})

test('[WEB-43] given the colours of people, when white text is on them, or they are on the canvas, then the contrast is sufficient in light and dark', () => {
  for (const colour of PERSON_COLOURS) {
    assert.ok(contrast(colour, '#ffffff') >= 4.5, colour)
    for (const background of BACKGROUNDS)
      assert.ok(contrast(colour, background) >= 3, `${colour} on ${background}`)
  }
})

/** WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
