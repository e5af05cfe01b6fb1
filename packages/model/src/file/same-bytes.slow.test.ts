import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Group, UNITS } from '@meadow/contract'
import fc from 'fast-check'
import { arbitraryGeometry } from '../testing/arbitrary-geometry.ts'
import { colour } from '../testing/materials.ts'
import { OPTIONS } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import type { ModelValue } from './model-input.ts'

const channel = fc.nat(255)
const colours = fc.tuple(channel, channel, channel, channel).map((channels) => colour(...channels))
const shaders = fc.record({
  type: fc.constant('shader' as const),
  diffuse: colours,
  specular: colours,
  emission: colours,
  transparency: fc.double({ min: 0, max: 1, noNaN: true }),
  shine: fc.nat(100),
})

const NODES = ['a', 'b', 'c', 'd']
const nodeIds = fc.subarray(NODES)
const values: fc.Arbitrary<ModelValue[]> = fc
  .array(
    fc.record(
      {
        nodeInstanceId: fc.constantFrom(...NODES),
        value: arbitraryGeometry,
        nodeName: fc.string(),
        portName: fc.string(),
        material: shaders,
        colour: colours,
      },
      { requiredKeys: ['nodeInstanceId', 'value', 'nodeName', 'portName'] },
    ),
    { maxLength: 6 },
  )
  .map((list) => list.map((value, index) => ({ ...value, portInstanceId: 'port', path: '{0}', index })))

const groups: fc.Arbitrary<Group[]> = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('1', '2', '3'),
    label: fc.string(),
    colour: fc.constantFrom('#ff8000ff', '#00000080'),
    nodeInstanceIds: nodeIds,
    groupIds: fc.subarray(['1', '2', '3', 'missing']),
  }),
  { selector: ({ id }) => id, maxLength: 3 },
)

const inputs = fc.record({
  values: fc.oneof({ arbitrary: values, weight: 4 }, fc.constant([])),
  groups,
  hiddenNodeIds: nodeIds.map((ids) => new Set(ids)),
  units: fc.constantFrom(...UNITS),
  archiveVersion: fc.constantFrom(7 as const, 8 as const),
})

test('[MOD-85] given any values, groups and materials, or none, when two libraries write and convert them, then the same bytes', async () => {
  await using library = openModelLibrary()
  await using other = openModelLibrary()
  await fc.assert(
    fc.asyncProperty(inputs, async ({ values: list, ...options }) => {
      const write = async (by: typeof library) => {
        const { bytes, objectCount } = await by.write(list, { ...OPTIONS, ...options })
        const convert = (from: Uint8Array, archiveVersion: 7 | 8) =>
          by.convert(Uint8Array.from(from), { archiveVersion, objectCount })
        const newer = await convert(bytes, 8)
        return { bytes, newer, older: await convert(newer, 7) }
      }
      const [first, second] = [await write(library), await write(other)]
      for (const form of ['bytes', 'newer', 'older'] as const) {
        assert.ok(Buffer.from(first[form]).equals(second[form]), form)
      }
    }),
    { numRuns: 40 },
  )
})
