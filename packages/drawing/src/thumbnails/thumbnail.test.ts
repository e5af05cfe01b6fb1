import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { GraphContent, Node } from '@meadow/contract'
import type { Colour, Geometry } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { listMembers } from '../drawing/list-members.ts'
import { type Drawable, spread } from './listed-shapes.ts'
import { drawGraphThumbnail, drawThumbnail, drawWholeThumbnail, type Thumbnail } from './thumbnail.ts'

const WIDTH = 480
const HEIGHT = 360
const node = (instanceId: string, isPreviewed = true, more: Partial<Node> = {}): Node => ({
  instanceId,
  templateId: '00000000-0000-0000-0000-000000000000',
  name: 'Node',
  nickName: '',
  position: { x: 0, y: 0 },
  status: { isEnabled: true, isPreviewed },
  inputs: {},
  outputs: {},
  sources: {},
  values: {},
  ports: {},
  ...more,
})
const contentOf = (...nodes: Node[]): GraphContent => ({
  nodes: Object.fromEntries(nodes.map((one) => [one.instanceId, one])),
  groups: [],
  configuration: { inputs: [], outputs: [] },
})
const CONTENT = contentOf(node('shown'), node('hidden', false))
const colour = (red: number, green: number, blue: number, alpha = 255) =>
  ({ type: 'colour', red, green, blue, alpha }) as const

const toDrawable = (value: Geometry, nodeInstanceId = 'shown', shown?: Colour): Drawable => ({
  nodeInstanceId,
  colour: shown,
  source: value,
  open: async () => listMembers(value),
})
/** A square in a plane of this height. */
const square = (x: number, y: number, z: number, size: number): Geometry => ({
  type: 'mesh',
  vertices: [
    { x, y, z },
    { x: x + size, y, z },
    { x: x + size, y: y + size, z },
    { x, y: y + size, z },
  ],
  faces: [{ type: 'meshFace', a: 0, b: 1, c: 2, d: 3 }],
})

interface Picture {
  thumbnail: Thumbnail
  at(x: number, y: number): [red: number, green: number, blue: number, alpha: number]
  /** How many pixels are covered at least by half. */
  covered: number
}

function readPicture(thumbnail: Thumbnail): Picture {
  const file = Buffer.from(thumbnail.png)
  assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [WIDTH, HEIGHT])
  const data = file.indexOf('IDAT')
  const rows = inflateSync(file.subarray(data + 4, data + 4 + file.readUInt32BE(data - 4)))
  const pixels = new Uint8Array(4 * WIDTH * HEIGHT)
  for (let y = 0; y < HEIGHT; y++)
    for (let i = 0; i < 4 * WIDTH; i++) {
      const at = 4 * WIDTH * y + i
      pixels[at] = rows[y * (4 * WIDTH + 1) + 1 + i]! + (y === 0 ? 0 : pixels[at - 4 * WIDTH]!)
    }
  let covered = 0
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at]! >= 128) covered++
  return {
    thumbnail,
    at: (x, y) =>
      [...pixels.subarray(4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 4)] as ReturnType<Picture['at']>,
    covered,
  }
}

const draw = async (drawables: readonly Drawable[], { content = CONTENT, budgetMs = 1e6 } = {}) =>
  readPicture((await drawWholeThumbnail(drawables, { content, budgetMs }))!)

test('[THM-20, THM-25] given a square anywhere and of any size, then it fills the picture, seen from above, on a transparent background', async () => {
  const numbers = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  await fc.assert(
    fc.asyncProperty(numbers, numbers, fc.double({ min: 1, max: 1e5, noNaN: true }), async (x, y, size) => {
      const { thumbnail, at, covered } = await draw([toDrawable(square(x, y, 7, size))])
      assert.equal(thumbnail.kind, 'geometry')
      // Nine tenths of the height.
      assert.ok(Math.abs(covered - 324 * 324) < 1500, `${covered} pixels`)
      assert.equal(at(0, 0)[3], 0)
      assert.equal(at(240, 180)[3], 255)
    }),
    { numRuns: 10 },
  )
})

test('[THM-21, THM-26] given two bodies, then the nearer one covers the other, in their colours, and what has no finite numbers is left out', async () => {
  const low = toDrawable(square(0, 0, 0, 10), 'hidden', colour(255, 0, 0))
  const high = toDrawable(square(2, 2, 0.001, 6), 'shown', colour(0, 0, 255))
  const broken = toDrawable({ type: 'point', x: Number.NaN, y: 0, z: 0 })
  for (const values of [
    [low, high, broken],
    [high, broken, low],
  ]) {
    const { at } = await draw(values)
    const [red, , blue] = at(240, 180)
    assert.ok(blue > 100 && red < 20, `${at(240, 180)}`)
    const [otherRed, , otherBlue] = at(90, 180)
    assert.ok(otherRed > 100 && otherBlue < 20, `${at(90, 180)}`)
  }
})

test('[THM-22, THM-23] given geometry whose preview is off, then the graph is shown; a document without nodes is an empty canvas', async () => {
  const hidden = [toDrawable(square(0, 0, 0, 10), 'hidden')]
  const options = { content: CONTENT, budgetMs: 1e6 }
  assert.equal(await drawWholeThumbnail(hidden, options), undefined)
  const { thumbnail, covered } = readPicture(await drawThumbnail(hidden, options))
  assert.equal(thumbnail.kind, 'graph')
  assert.ok(covered > 500)
  assert.ok(readPicture(drawGraphThumbnail(contentOf())).covered > 50)
})

test('[THM-23, THM-25] given nodes in a group with a wire, then all of them are painted in their colours', () => {
  const ports = { out: port('Out'), in: port('In') }
  const left = node('left', true, { position: { x: 0, y: 0 }, outputs: { out: 0 }, ports })
  const sources = { in: [{ nodeInstanceId: 'left', portInstanceId: 'out' }] }
  const right = node('right', true, { position: { x: 300, y: 100 }, inputs: { in: 0 }, ports, sources })
  const content = contentOf(left, right)
  const alone = readPicture(drawGraphThumbnail(content))
  content.groups = [{ id: 'group', label: '', colour: '#ff000080', nodeInstanceIds: ['left'], groupIds: [] }]
  const grouped = readPicture(drawGraphThumbnail(content))
  const reds = countPixels(grouped, ([red, green, , alpha]) => red > 200 && green < 60 && alpha < 200)
  assert.ok(reds > 1000, `${reds} pixels of the group`)
  right.sources = {}
  const unwired = readPicture(drawGraphThumbnail(contentOf(left, right)))
  assert.ok(alone.covered > unwired.covered + 200, 'the wire')
})

test('[THM-22] given a value that several ports pass on, when it is drawn, then once in each colour', async () => {
  const counts = { opened: 0 }
  const value = square(0, 0, 0, 10)
  const passOn = (nodeInstanceId: string, shown?: Colour): Drawable => ({
    ...toDrawable(value, nodeInstanceId, shown),
    async open() {
      counts.opened++
      return [value]
    },
  })
  const red = colour(255, 0, 0)
  await draw([
    passOn('hidden'),
    passOn('shown'),
    passOn('other'),
    passOn('hidden', red),
    passOn('shown', red),
  ])
  assert.equal(counts.opened, 2)
})

test('[THM-24] given too little time, then there is no whole picture, and a partial one of what is spread over all', async () => {
  const drawables = Array.from({ length: 400 }, (_, i) =>
    toDrawable(square(i % 20, Math.floor(i / 20), 0, 1)),
  )
  const options = { content: CONTENT, budgetMs: 0 }
  assert.equal(await drawWholeThumbnail(drawables, options), undefined)
  const partial = await drawThumbnail(drawables, options)
  const whole = await drawThumbnail(drawables, { ...options, budgetMs: 1e6 })
  assert.deepEqual([partial.isPartial, whole.isPartial], [true, false])
  assert.ok(readPicture(partial).covered > 0)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), (count) => {
      const order = [...spread(count)]
      assert.deepEqual(
        order.toSorted((a, b) => a - b),
        order.map((_, i) => i),
      )
      // However few are drawn, they are not all on one side.
      if (count >= 16) assert.ok(Math.max(...order.slice(0, 4)) > count / 2)
    }),
  )
})

const port = (name: string) => ({
  name,
  nickName: name,
  typeName: 'Number',
  access: 'item' as const,
  flags: [],
})

function countPixels({ at }: Picture, is: (pixel: ReturnType<Picture['at']>) => boolean): number {
  let count = 0
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) if (is(at(x, y))) count++
  return count
}
