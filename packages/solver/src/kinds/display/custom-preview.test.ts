import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { getPreviewColour, toShader } from '@meadow/geometry/values/shader'
import { colour } from '@meadow/geometry/values/value'
import { listPainters, paintPreviews } from '../../solve/paint-previews.ts'
import { type Solution, solve } from '../../solve/solve.ts'
import { type NodeSketch, number, sketchGraph } from '../../testing/graph.ts'

const PREVIEW = '537b0419-bbc2-4ff4-bf08-afe526367b2c'
const MATERIAL = '76975309-75a6-446a-afed-f8653720a9f2'
const CLOUD = '059b72b0-9bb3-4542-a805-2dcd27493164'
const DOTS = '6b1bd8b2-47a4-4aa6-a471-3fd91c62a486'
const GEOMETRY = 'ac2bc2cb-70fb-4dd5-9c78-7e1ea97fe278'
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
function listColours({ materials }: Solution) {
  return Object.fromEntries(
    [...materials].map(
      ([
        geometry,
        {
          diffuse: { red, green, blue },
        },
      ]) => [geometry.type === 'point' ? geometry.x : geometry.type, [red, green, blue]],
    ),
  )
}

test('[F-7] given points and fewer colours, when they are previewed, then each has the colour that it is matched with', () => {
  const graph = sketchGraph({
    p: points(1, 2, 3),
    c: swatch('#ff0000ff', '#00ff00ff'),
    show: preview('p', 'c'),
  })
  assert.deepEqual(listColours(solve(graph)), { 1: [255, 0, 0], 2: [0, 255, 0], 3: [0, 255, 0] })
})

test('[F-7] given points that pass a parameter on their way, when they are previewed, then the values that ports hold are meant', () => {
  const graph = sketchGraph({
    p: points(1),
    passed: { guid: POINT, isParameter: true, inputs: ['p'], port: { typeName: 'Point' } },
    c: swatch('#ff0000ff'),
    show: preview('passed', 'c'),
  })
  const { ports, materials } = solve(graph)
  const [value] = ports.get('passed')!.get('passed')!.branches[0]!.values
  assert.ok(materials.has(value as never))
})

test('[F-7] given a preview that is off or disabled, then nothing has a colour of its own', () => {
  for (const status of [
    { isEnabled: true, isPreviewed: false },
    { isEnabled: false, isPreviewed: true },
  ]) {
    const graph = sketchGraph({ p: points(1), c: swatch('#ff0000ff'), show: preview('p', 'c') })
    graph.nodes.show!.status = status
    assert.equal(solve(graph).materials.size, 0)
  }
})

test('[F-7] given a material, when geometry is previewed in it, then the geometry has the whole material, and as a colour its diffuse one, as transparent as it is', () => {
  const graph = sketchGraph({
    p: points(1),
    diffuse: swatch('#ff8000ff'),
    white: swatch('#ffffffff'),
    black: swatch('#000000ff'),
    clear: number(0.8),
    shine: number(40),
    m: { guid: MATERIAL, inputs: ['diffuse', 'white', 'black', 'clear', 'shine'] },
    show: preview('p', 'm.o0'),
  })
  const [material] = solve(graph).materials.values()
  assert.deepEqual(material, {
    type: 'shader',
    diffuse: colour(255, 128, 0),
    specular: colour(255, 255, 255),
    emission: colour(0, 0, 0),
    transparency: 0.8,
    shine: 40,
  })
  assert.deepEqual(getPreviewColour(material!), colour(255, 128, 0, 51))
})

test('[F-7] given colours of any transparency, when a view shows their materials, then in these colours', () => {
  for (let alpha = 0; alpha <= 255; alpha++) {
    const clear = colour(1, 2, 3, alpha)
    assert.deepEqual(getPreviewColour(toShader(clear)), clear)
  }
})

test('[F-7] given geometry that is not decoded, when it is previewed, then it has the material, and nothing is reported', () => {
  const hatch: DataValue = { type: 'unknown', value: { description: 'Hatch' } }
  const graph = sketchGraph({
    h: parameter(GEOMETRY, 'Geometry', hatch),
    c: swatch('#ff0000ff'),
    show: preview('h', 'c'),
  })
  const { materials, messages, completeness } = solve(graph)
  assert.deepEqual([...materials.keys()], [{ type: 'opaque', wire: hatch }])
  assert.deepEqual(messages, [])
  assert.equal(completeness.isComplete, true)
})

test('[F-7] given a cloud and dots, when they are drawn, then their points have the colours, and the last one in a cloud is for the rest', () => {
  const colours = swatch('#ff0000ff', '#00ff00ff')
  const size = number(1)
  const cloud = { p: points(1, 2, 3), c: colours, size }
  const [red, green] = [
    [255, 0, 0],
    [0, 255, 0],
  ]
  const drawn = (guid: string, isPreviewed = true) => {
    const graph = sketchGraph({ ...cloud, show: { guid, inputs: ['p', 'c', 'size'], outputs: 0 } })
    graph.nodes.show!.status.isPreviewed = isPreviewed
    return listColours(solve(graph))
  }
  assert.deepEqual(drawn(CLOUD), { 1: red, 2: green, 3: green })
  assert.deepEqual(drawn(DOTS), { 1: red, 2: green, 3: green })
  assert.deepEqual([drawn(CLOUD, false), drawn(DOTS, false)], [{}, {}])
})

test('[F-7] given a document that is solved already, when its previews are painted, then the materials are those of its solution', () => {
  const graph = sketchGraph({
    p: points(1, 2, 3),
    c: swatch('#ff0000ff', '#00ff0080'),
    show: preview('p', 'c'),
    off: { ...preview('p', 'c'), isEnabled: false },
  })
  const { ports, materials } = solve(graph)
  const painters = listPainters(graph.nodes)
  assert.deepEqual(
    painters.map(({ instanceId }) => instanceId),
    ['show'],
  )
  const painted = paintPreviews(painters, ports, () => undefined)
  assert.deepEqual([...painted], [...materials])
  assert.equal(painted.size, 3)
})
