import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { arc, circle, line, type NurbsCurve, polyline } from '@meadow/geometry/values/curves'
import { type Mesh, quad } from '@meadow/geometry/values/mesh'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { xyPlane } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import { domain, type Geometry, type Value } from '@meadow/geometry/values/value'
import { createStepClock } from '../testing/clock.ts'
import { type NodeSketch, sketchGraph } from '../testing/graph.ts'
import { solveKind } from '../testing/solve-kind.ts'
import { solve } from './solve.ts'

type Inputs = readonly (readonly (Value | null)[])[]

const repeat = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
/** From 0 to 1, without any order, and the same each time. */
const scatter = (i: number, seed: number) => (Math.sin((i + 1) * (12.9898 + seed)) * 43758.5453) % 1
const points = (count: number) => repeat(count, (i) => point(scatter(i, 1), scatter(i, 2), 0))
const zigzag = (count: number, high: number) =>
  polyline(repeat(count, (i) => ({ x: i, y: (i % 2) * high, z: 0 })))
const wave = (count: number, shift = 0): NurbsCurve => ({
  type: 'nurbsCurve',
  degree: 3,
  points: repeat(count, (i) => ({ x: i, y: shift + (i % 2), z: scatter(i, 3) })),
  knots: repeat(count + 2, (i) => Math.min(Math.max(i - 2, 0), count - 3)),
})
const closedCurve: NurbsCurve = {
  type: 'nurbsCurve',
  degree: 3,
  points: repeat(203, (i) => ({ x: Math.cos((i * Math.PI) / 100), y: Math.sin((i * Math.PI) / 100), z: 0 })),
  knots: repeat(205, (i) => i - 2),
}
const hill: NurbsSurface = {
  type: 'nurbsSurface',
  degreeU: 3,
  degreeV: 3,
  points: repeat(8, (i) => repeat(8, (j) => ({ x: i, y: j, z: scatter(8 * i + j, 4) }))),
  knotsU: repeat(10, (i) => Math.min(Math.max(i - 2, 0), 5)),
  knotsV: repeat(10, (i) => Math.min(Math.max(i - 2, 0), 5)),
}
const terrain: Mesh = {
  type: 'mesh',
  vertices: repeat(900, (i) => ({ x: i % 30, y: Math.floor(i / 30), z: scatter(i, 5) })),
  faces: repeat(841, (i) => {
    const corner = Math.floor(i / 29) * 30 + (i % 29)
    return quad(corner, corner + 1, corner + 31, corner + 30)
  }),
}
const strip = (i: number): NurbsSurface => ({
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 1,
  points: [
    [
      { x: 0, y: 0, z: 0 },
      { x: 1, y: 0, z: 0 },
    ],
    [
      { x: 0, y: 1, z: i },
      { x: 1, y: 1, z: i },
    ],
  ],
  knotsU: [0, 1],
  knotsV: [0, 1],
})
const XY = xyPlane({ x: 0, y: 0, z: 0 })

/** By the repeated work: kinds whose work is much larger than their inputs and outputs. */
const LONG: Readonly<Record<string, readonly [guid: string, inputs: Inputs]>> = {
  'Delaunay triangulation': ['1eb4f6ff-3547-4184-bead-1b01e7cfd668', [points(8000), [XY]]],
  'nearest points of a cloud': ['571ca323-6e55-425a-bf9e-ee103c7ba4b9', [points(300), points(3000)]],
  'sorting by distance': ['446014c4-c11c-45a7-8839-c45dc60950d6', [points(300), points(3000), [1]]],
  'points of one cell': ['6eaffbb2-3392-441a-8556-2dc126aa8910', [points(2000), [-1]]],
  'crossings of straight curves': [
    '84627490-0fb2-4498-8138-ad134ee4cb36',
    [[zigzag(600, 1)], [zigzag(600, 1)]],
  ],
  'crossings of bent curves': ['84627490-0fb2-4498-8138-ad134ee4cb36', [[wave(200)], [wave(200, 0.01)]]],
  'crossings with a plane': ['b7c12ed1-b09a-4e15-996f-3fa9f3f16b1c', [repeat(40, () => wave(200)), [XY]]],
  'an offset that may cross itself': [
    '1a38d325-98de-455c-93f1-bca431bc1243',
    [[zigzag(2000, 1)], [0.001], [XY], [1]],
  ],
  'distances along a curve': ['1e531c08-9c80-46d6-8850-1b50d1dae69f', [[wave(10)], [1e-4]]],
  'lengths of a bent curve': ['2162e72e-72fc-4bf8-9459-d4d82fa8aa14', [[wave(10)], [5000], [false]]],
  'the closest point of a curve': ['2dc44b22-b1dd-460a-a704-6462d6e91096', [points(200), [wave(100)]]],
  'turns around a point': ['a72b0bd3-c7a7-458e-875d-09ae1624638c', [points(500), [closedCurve]]],
  'coincident ends': [
    '8073a420-6bec-49e3-9b18-367f6fd76ac3',
    [repeat(700, (i) => line({ x: 0, y: 0, z: 0 }, { x: scatter(i, 1), y: scatter(i, 2), z: i })), [true]],
  ],
  'a curve that goes on': [
    '62cc9684-6a39-422e-aefa-ed44643557b9',
    [repeat(40, () => wave(20)), [2], [1e60], [1e60]],
  ],
  'the closest point of a surface': ['4a9e9a8e-0943-4438-b360-129c30f2bb0f', [points(300), [hill]]],
  'the closest point of a mesh': ['a559fee2-4b76-4370-8042-c7440cd75049', [points(3000), [terrain]]],
  'the box around a surface': [
    '0bb3d234-9097-45db-9998-621639c87d3b',
    [repeat(30, () => ({ ...hill })), [XY]],
  ],
  'the area of a surface': ['2e205f24-9279-47b2-b414-d06dcd0b21a7', [repeat(30, () => ({ ...hill }))]],
  'a pipe along a bent curve': ['c277f778-6fdf-4890-8f78-347efb23c406', [[wave(30)], [0.01], [0]]],
  'a loft through many curves': [
    'a7a41d0a-2188-4f7a-82cc-1a2c4e4ec850',
    [
      repeat(30, (k) => ({
        ...wave(30, k),
        knots: wave(30).knots.map((knot) => knot ** (1 + k * 1e-3)),
      })),
    ],
  ],
  'breps that share vertices': [
    '1addcc85-b04e-46e6-bd4a-6f6c93bf7efd',
    [repeat(400, (i) => strip(i / 1000))],
  ],
  'boxes beside each other': [
    '10434a15-da85-4281-bb64-a2b3a995b9c6',
    [
      repeat(60, (i) => {
        const plane = xyPlane({ x: i, y: 0, z: 0 })
        return { type: 'box', plane, x: domain(0, 1), y: domain(0, 1), z: domain(0, 1) }
      }),
    ],
  ],
  'sections of a bent face': [
    '3b112fb6-3eba-42d2-ba75-0f903c18faab',
    [[hill], [point(0, 0, 0)], [vector(0.3, 0.2, 1)], [0.002]],
  ],
  'curves inside of curves': ['d51e9b65-aa4e-4fd6-976c-cef35d421d05', [repeat(80, (i) => circle(XY, i + 1))]],
  welding: ['9f6d85c9-1143-4538-bca7-69dcb11a74ef', [repeat(40, () => ({ ...terrain })), [1]]],
  'rounds of blurring': ['57e1d392-e3fb-4de9-be98-982854a92351', [[1, 2, 3], [0.5], [2e9], [false], [false]]],
  'a pattern of stars': [
    '3756c55f-95c3-442c-a027-6b3ab0455a94',
    [['a'.repeat(4000)], [`${'*a'.repeat(20)}*${'a'.repeat(200)}b`], [], [true]],
  ],
  'tags of one letter': ['01640871-69ea-40ac-9380-4660d6d28bd2', [[1000], ['a']]],
  'replacements in a text': ['4df8df00-3635-45bd-95e6-f9206296c110', [['a'.repeat(100_000)], ['a'], ['b']]],
  'sorting texts': ['cec16c67-7b8b-41f7-a5a5-f675177e524b', [repeat(12_000, (i) => `t${scatter(i, 1)}`), []]],
  'sorting numbers': ['6f93d366-919f-4dda-a35e-ba03dd62799b', [repeat(5000, (i) => scatter(i, 1))]],
  'comparing items': [
    'a759fd55-e6be-4673-8365-c28d5b52c6c0',
    [repeat(3000, (i) => i), repeat(300, (i) => i)],
  ],
  'searching keys': [
    '1edcc3cf-cf84-41d4-8204-561162cfe510',
    [repeat(3000, (i) => `k${i}`), repeat(3000, (i) => i), repeat(300, (i) => `k${2999 - i}`)],
  ],
}

/** More clock reads than passing the inputs ever takes. */
const DEADLINE_LOOKS = 45

for (const [name, [guid, inputs]] of Object.entries(LONG)) {
  test(`[L-1] given ${name}, when the time is up meanwhile, then the solve ends there and names the node`, () => {
    const options = { deadlineMs: DEADLINE_LOOKS, now: createStepClock() }
    assert.throws(() => solveKind(guid, inputs, options), {
      code: 'deadline_exceeded',
      nodeInstanceIds: ['node'],
    })
    const handingOver = { deadlineMs: DEADLINE_LOOKS, now: createStepClock() }
    solveKind('b6236720-8d88-4289-93c3-ac4c99f9b97b', [inputs.flat()], handingOver)
  })
}

const MEMORY = 16_000_000
const GRID: Inputs = [[XY], [1], [300], [300]]

/** Kinds with an input for the number of results. */
const LARGE: Readonly<Record<string, readonly [guid: string, inputs: Inputs]>> = {
  Series: ['e64c5fb1-845c-4ab1-8911-5f338516ba67', [[0], [1], [1e9]]],
  'Series of a million': ['e64c5fb1-845c-4ab1-8911-5f338516ba67', [[0], [1], [1e6]]],
  Range: ['9445ca40-cc73-4861-a455-146308676855', [[domain(0, 1)], [1e9]]],
  'Repeat Data': ['c40dc145-9e36-4a69-ac1a-6d825c654993', [[1], [1e9]]],
  'Duplicate Data': ['dd8134c0-109b-4012-92be-51d843edfff7', [[1, 2], [1e9], [true]]],
  'Duplicate Data, item by item': ['dd8134c0-109b-4012-92be-51d843edfff7', [[1, 2], [1e9], [false]]],
  'Stack Data': ['5fa4e736-0d82-4af0-97fb-30a79f4cbf41', [[1], [1e9]]],
  Fibonacci: ['fe99f302-3d0d-4389-8494-bd53f7935a02', [[0], [1], [1e9]]],
  'Char Sequence': ['01640871-69ea-40ac-9380-4660d6d28bd2', [[1e9], ['ab']]],
  'Divide Domain': ['75ef4190-91a2-42d9-a245-32a7162b0384', [[domain(0, 1)], [1e9]]],
  'Divide Domain²': [
    '75ac008b-1bc2-4edd-b967-667d628b9d24',
    [[{ type: 'domain2', u: domain(0, 1), v: domain(0, 1) }], [3e4], [3e4]],
  ],
  'Cross Reference': [
    '36947590-f0cb-4807-a8f9-9c90c9b20621',
    [repeat(1500, (i) => i), repeat(1500, (i) => i)],
  ],
  'Insert Items': ['e2039b07-d3f3-40f8-af88-d74fed238727', [[1], [1], [2e9], [false]]],
  'Sub List': ['b333ff42-93bd-406b-8e17-15780719b6ec', [[1, 2], [domain(0, 1e12)], [true]]],
  Hexagonal: ['125dc122-8544-4617-945e-bb9a0c101c50', GRID],
  Radial: ['66eedc35-187d-4dab-b49b-408491b1255f', GRID],
  Triangular: ['86a9944b-dea5-4126-9433-9e95ff07927a', GRID],
  Square: ['717a1e25-a075-4530-bc80-d43ecc2500d9', GRID],
  'Mesh Plane': [
    '8adbf481-7589-4a40-b490-006531ea001d',
    [[{ type: 'rectangle', plane: XY, x: domain(0, 1), y: domain(0, 1) }], [300], [300]],
  ],
  'Divide Surface': ['5106bafc-d5d4-4983-83e7-7be3ed07f502', [[hill], [300], [300]]],
  'Divide Curve': ['2162e72e-72fc-4bf8-9459-d4d82fa8aa14', [[circle(XY, 1)], [1e9], [false]]],
  'Divide Length': ['fdc466a9-d3b8-4056-852a-09dba0f74aca', [[circle(XY, 1)], [1e-6]]],
  'Perp Frames': ['983c7600-980c-44da-bc53-c804067f667f', [[circle(XY, 1)], [1e9], [true]]],
  Polygon: ['845527a6-5cea-4ae9-a667-96ae1667a4e8', [[XY], [1], [1e9], [0]]],
  'Linear Array': ['e87db220-a0a0-4d67-a405-f97fd14b2d7a', [[point(0, 0, 0)], [vector(1, 0, 0)], [1e9]]],
  'Polar Array': ['fca5ad7e-ecac-401d-a357-edda0a251cbc', [[point(0, 0, 0)], [XY], [1e9], [1]]],
  'Linear Array of a mesh': ['e87db220-a0a0-4d67-a405-f97fd14b2d7a', [[terrain], [vector(1, 0, 0)], [400]]],
  Characters: ['86503240-d884-43f9-9323-efe30488a6e1', [['a'.repeat(600_000)]]],
  'Text Join': ['1274d51a-81e6-4ccf-ad1f-0edf4c769cac', [repeat(1000, () => ''), ['a'.repeat(10_000)]]],
  'an arc of many turns as a NURBS curve': [
    'b7c12ed1-b09a-4e15-996f-3fa9f3f16b1c',
    [[arc(XY, 1, 0, 1e300)], [XY]],
  ],
}

for (const [name, [guid, inputs]] of Object.entries(LARGE)) {
  test(`[L-2] given little memory, when ${name} would make more, then the solve ends before, and names the node`, () => {
    assert.throws(() => solveKind(guid, inputs, { maxBytes: MEMORY }), {
      code: 'too_much_memory',
      nodeInstanceIds: ['node'],
    })
  })
}

test('[L-2] given little memory, when a pattern weaves gaps into a list, then the solve ends before', () => {
  const pattern = [0, ...repeat(3000, () => 1)]
  const state = { kind: 'options', options: { nullGaps: true } }
  const inputs: Inputs = [pattern, repeat(3000, (i) => i), [1]]
  assert.throws(
    () => solveKind('50faccbd-9c92-4175-a5fa-d65e36013db6', inputs, { maxBytes: MEMORY }, { state }),
    { code: 'too_much_memory', nodeInstanceIds: ['node'] },
  )
})

const typed = (...values: (DataValue | null)[]) => ({ typed: values })
const text = (value: string) => typed({ type: 'string', value })

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

/** Each doubles the length of a text. */
const DOUBLING: Readonly<Record<string, (from: string) => NodeSketch>> = {
  Concatenate: (from) => ({ guid: '2013e425-8713-42e2-a661-b57e78840337', inputs: [from, from] }),
  'Text Join': (from) => ({ guid: '1274d51a-81e6-4ccf-ad1f-0edf4c769cac', inputs: [[from, from], text('')] }),
  'Replace Text': (from) => ({
    guid: '4df8df00-3635-45bd-95e6-f9206296c110',
    inputs: [from, text('x'), text('xx')],
  }),
  Format: (from) => ({
    guid: '758d91a0-4aec-47f8-9671-16739a8a2c5d',
    inputs: [text('{0}{0}'), typed(), from],
  }),
  Addition: (from) => ({ guid: 'a0d62394-a118-422d-abb3-6af115c75b25', inputs: [from, from] }),
  Expression: (from) => ({
    guid: '9df5e896-552d-4c8c-b9ca-4fc147ffa022',
    inputs: [from],
    port: { nickName: 'x' },
    state: { kind: 'expression', expression: 'x & x' },
  }),
  'Expression with Replace': (from) => ({
    guid: '9df5e896-552d-4c8c-b9ca-4fc147ffa022',
    inputs: [from],
    port: { nickName: 'x' },
    state: { kind: 'expression', expression: 'replace(x, "x", "xx")' },
  }),
  'a port with an expression': (from) => ({
    guid: PANEL,
    isParameter: true,
    inputs: [from],
    port: { expression: 'x & x' },
  }),
}

for (const [name, sketch] of Object.entries(DOUBLING)) {
  test(`[L-3] given ${name} that doubles a text 40 times, when it is solved, then it ends for want of memory`, () => {
    const output = sketch('').isParameter ? '' : '.o0'
    const chain = repeat(40, (i) => [`d${i}`, sketch(i === 0 ? 'start' : `d${i - 1}${output}`)] as const)
    const start = { guid: PANEL, isParameter: true, inputs: [text('x'.repeat(16))] }
    const graph = sketchGraph({ start, ...Object.fromEntries(chain) })
    assert.throws(
      () => solve(graph, { maxBytes: MEMORY }),
      (error: { code: string; nodeInstanceIds: string[] }) => {
        assert.equal(error.code, 'too_much_memory')
        // 16 characters of two bytes reach 16 MB after 18 or 19 doublings, all of which count.
        assert.match(error.nodeInstanceIds.join(), /^d1[789]$/)
        return true
      },
    )
  })
}

test('[L-4] given a text longer than the engine can make, when nodes make it, then it is a limit of the node', () => {
  const inputs: Inputs = [repeat(60_000, () => ''), ['a'.repeat(10_000)]]
  const { messages, ports } = solveKind('1274d51a-81e6-4ccf-ad1f-0edf4c769cac', inputs)
  assert.deepEqual(messages, [
    {
      nodeInstanceId: 'node',
      level: 'error',
      code: 'limit',
      message: 'Solution exception: The text would be longer than 536870888 characters',
    },
  ])
  assert.deepEqual(ports.get('node')?.get('node.o0')?.branches, [])
})

test('[F-8] given a product that is infinite, when points and a mesh are made of it, then these are null with messages', () => {
  const number = (value: number) => typed({ type: 'number', value })
  const { messages, ports } = solve(
    sketchGraph({
      product: { guid: 'ce46b74e-00c9-43c4-805a-193b69ea4a11', inputs: [number(1e308), number(10)] },
      point: { guid: '3581f42a-9592-4549-bd6b-1c0fc39d067b', inputs: ['product.o0', number(0), number(0)] },
      origin: { guid: '3581f42a-9592-4549-bd6b-1c0fc39d067b', inputs: [number(0), number(0), number(0)] },
      mesh: { guid: '1eb4f6ff-3547-4184-bead-1b01e7cfd668', inputs: ['point.o0', 'origin.o0'] },
    }),
  )
  assert.deepEqual(ports.get('product')?.get('product.o0')?.branches[0]?.values, [Infinity])
  assert.deepEqual(ports.get('point')?.get('point.o0')?.branches[0]?.values, [null])
  assert.deepEqual(ports.get('mesh')?.get('mesh.o0')?.branches[0]?.values, [null])
  const remark = { level: 'remark', code: 'note', message: 'A result is infinite' }
  assert.deepEqual(messages.slice(0, 2), [
    { nodeInstanceId: 'product', ...remark },
    {
      nodeInstanceId: 'point',
      level: 'error',
      code: 'failed',
      message: 'Point is invalid: a coordinate is not a finite number',
    },
  ])
})

test('[F-9] given the logarithm of a negative number or of 0, when it is computed, then its node alone remarks on it', () => {
  const number = (value: number) => typed({ type: 'number', value })
  const { messages, ports } = solve(
    sketchGraph({
      negative: { guid: '27d6f724-a701-4585-992f-3897488abf08', inputs: [number(-4)] },
      log: { guid: '27d6f724-a701-4585-992f-3897488abf08', inputs: [number(0)] },
      sum: { guid: 'a0d62394-a118-422d-abb3-6af115c75b25', inputs: ['negative.o0', 'log.o0'] },
      span: { guid: 'd1a28e95-cf96-4936-bf34-8bf142d731bf', inputs: ['log.o0', number(1)] },
      port: {
        guid: '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312',
        isParameter: true,
        inputs: [number(-1)],
        port: { expression: 'sqrt(x)' },
      },
    }),
  )
  const see = (id: string) => ports.get(id)?.get(id === 'port' ? id : `${id}.o0`)?.branches[0]?.values[0]
  assert.deepEqual([see('negative'), see('log'), see('sum'), see('port')], [NaN, -Infinity, NaN, NaN])
  assert.deepEqual(see('span'), { type: 'domain', start: -Infinity, end: 1 })
  const remark = (nodeInstanceId: string, message: string) => ({
    nodeInstanceId,
    level: 'remark',
    code: 'note',
    message,
  })
  assert.deepEqual(messages, [
    remark('negative', 'A result is not a number (NaN)'),
    remark('log', 'A result is infinite'),
    remark('port', 'A result is not a number (NaN)'),
  ])
})

test('[F-8] given invalid geometry as a literal, or from converting a text, then it is null with a warning', () => {
  const invalid = (type: string) => ({
    nodeInstanceId: 'p',
    level: 'warning',
    code: 'failed',
    message: `${type} is invalid: a coordinate is not a finite number`,
  })
  const hold = (guid: string, value: DataValue) =>
    solve(sketchGraph({ p: { guid, isParameter: true, inputs: [typed(value)] } }))
  const POINT = 'fbac3e32-f100-4292-8692-77240a42fd1a'
  const typedIn = hold(POINT, { type: 'point', value: ['Infinity', 0, 0] } as never)
  assert.deepEqual(typedIn.messages, [invalid('Point')])
  assert.deepEqual(typedIn.ports.get('p')?.get('p')?.branches[0]?.values, [null])
  assert.deepEqual(hold(POINT, { type: 'string', value: '1e999,0,0' }).messages, [invalid('Point')])
})

test('[F-8] given geometry whose parts do not fit together, when it is a literal, then it is null with a warning', () => {
  const corners = [0, 1, 2].map((i) => ({ x: i, y: i % 2, z: 0 }))
  const RELAY = 'b6236720-8d88-4289-93c3-ac4c99f9b97b'
  const misfits: Record<string, Geometry> = {
    Mesh: { type: 'mesh', vertices: corners, faces: [{ type: 'meshFace', a: 0, b: 1, c: 3, d: 3 }] },
    Curve: { type: 'nurbsCurve', degree: 2, points: corners, knots: [0, 0, 1] },
    Surface: {
      type: 'nurbsSurface',
      degreeU: 1,
      degreeV: 1,
      points: [corners],
      knotsU: [0],
      knotsV: [0, 1, 2],
    },
    Group: { type: 'group', members: [{ type: 'polyCurve', segments: [] }] },
  }
  for (const [type, geometry] of Object.entries(misfits)) {
    const { ports, messages } = solveKind(RELAY, [[geometry]], {}, { isParameter: true })
    assert.deepEqual(ports.get('in0')?.get('in0')?.branches[0]?.values, [null])
    const [{ level, message } = {}] = messages
    assert.deepEqual([level, message], ['warning', `${type} is invalid: its parts do not fit together`])
  }
})

test('[L-5] given long texts that would take the square of their length to read, when they are read, then they are rejected at once', () => {
  const spaces = ' '.repeat(1_000_000)
  const DIVIDE_DOMAIN = '75ef4190-91a2-42d9-a245-32a7162b0384'
  assert.deepEqual(
    solveKind(DIVIDE_DOMAIN, [[`0${spaces}x`], [2]]).messages.map(({ message }) => message),
    ['Converting Text to Domain is not supported'],
  )
  const FORMAT = '758d91a0-4aec-47f8-9671-16739a8a2c5d'
  assert.deepEqual(
    solveKind(FORMAT, [[`{0:0,${'0'.repeat(1_000_000)}}`], [''], [1]]).messages.map(({ message }) => message),
    ['The format is too long'],
  )
  const mapper = {
    isParameter: true,
    state: { kind: 'pathMapper', rules: [{ source: `{A}${spaces}x`, target: '{A}' }] },
  }
  assert.deepEqual(
    solveKind('f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9', [[1]], {}, mapper).messages.map(
      ({ message }) => message,
    ),
    ['The rule is too long'],
  )
  // A run of digits is read in one go: this took the square of its length too.
  const ABSOLUTE = '28124995-cf99-4298-b6f4-c75a8e379f18'
  assert.deepEqual(
    solveKind(ABSOLUTE, [[`${'1'.repeat(1_000_000)}x`]]).messages.map(({ level }) => level),
    ['error'],
  )
})
