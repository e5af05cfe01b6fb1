import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { solve } from '../../solve/solve.ts'
import { type NodeSketch, sketchGraph } from '../../testing/graph.ts'

const PREVIEW = '537b0419-bbc2-4ff4-bf08-afe526367b2c'
const POINT = 'fbac3e32-f100-4292-8692-77240a42fd1a'
const COLOUR = '203a91c3-287a-43b6-a9c5-ebb96240a650'

const parameter = (guid: string, typeName: string, ...typed: DataValue[]): NodeSketch => ({
  guid,
  isParameter: true,
  inputs: [{ typed }],
  port: { typeName },
})
const points = (...xs: number[]) =>
  parameter(POINT, 'Point', ...xs.map((x): DataValue => ({ type: 'point', value: [x, 0, 0] })))
const swatch = (...colours: string[]) =>
  parameter(COLOUR, 'Colour', ...colours.map((value): DataValue => ({ type: 'colour', value })))
const preview = (geometry: string, material: string): NodeSketch => ({
  guid: PREVIEW,
  inputs: [geometry, material],
  outputs: 0,
})

/** The colour of each point on the x axis. */
function coloursOf(sketches: Record<string, NodeSketch>) {
  const { colours } = solve(sketchGraph(sketches))
  return Object.fromEntries(
    [...colours].map(([geometry, { red, green, blue }]) => [
      geometry.type === 'point' ? geometry.x : geometry.type,
      [red, green, blue],
    ]),
  )
}

test('[F-7] given points and fewer colours, when they are previewed, then each has the colour that it is matched with', () => {
  const colours = coloursOf({
    p: points(1, 2, 3),
    c: swatch('#ff0000ff', '#00ff00ff'),
    show: preview('p', 'c'),
  })
  assert.deepEqual(colours, { 1: [255, 0, 0], 2: [0, 255, 0], 3: [0, 255, 0] })
})

test('[F-7] given points that pass a parameter on their way, when they are previewed, then the values that ports hold are meant', () => {
  const graph = sketchGraph({
    p: points(1),
    passed: { guid: POINT, isParameter: true, inputs: ['p'], port: { typeName: 'Point' } },
    c: swatch('#ff0000ff'),
    show: preview('passed', 'c'),
  })
  const { ports, colours } = solve(graph)
  const [value] = ports.get('passed')!.get('passed')!.branches[0]!.values
  assert.ok(colours.has(value as never))
})

test('[F-7] given a preview that is off or disabled, then nothing has a colour of its own', () => {
  for (const status of [
    { isEnabled: true, isPreviewed: false },
    { isEnabled: false, isPreviewed: true },
  ]) {
    const graph = sketchGraph({ p: points(1), c: swatch('#ff0000ff'), show: preview('p', 'c') })
    graph.nodes.show!.status = status
    assert.equal(solve(graph).colours.size, 0)
  }
})
