import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildPort,
  buildSources,
  buildTexts,
} from '../../../grasshopper/src/testing/build-archive.ts'
import { buildCluster, buildContent } from '../../../grasshopper/src/testing/build-cluster.ts'
import { PLUGIN_CLASS } from '../../../grasshopper/src/testing/build-original.ts'

/** Definitions for tests, in the items that Grasshopper writes. A number is the id of an object or port. */

export { buildContent, buildDefinition, buildId }

const ASSERT_TRUE = '0890a32c-4e30-4f06-a98f-ed62b45838cf'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const OLD_MULTIPLICATION = 'b8963bb1-aa57-476e-a20e-ed6cf635a49c'
const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const BOOLEAN = 'cb95db89-6165-43b6-9c41-5702bc5bf137'
const TEXT = '3ede854e-c753-40eb-84cb-b48008f14fd4'
const CURVE = 'd5967b9f-e8ee-436b-a8ad-29fdcecf32d5'
const GH_PYTHON = '410755b1-224a-4c1e-a407-bf32fb45ea7e'

interface Parts {
  nickName?: string
  from?: number[]
  isLocked?: boolean
}

/** A parameter with values of its own, or with wires from ports. */
function parameter(
  guid: string,
  name: string,
  id: number,
  item: (value: never) => object,
  values: readonly unknown[],
  parts: Parts,
) {
  const { nickName = name, from = [], isLocked = false } = parts
  const data = values.map((value) => (value === null ? null : [item(value as never) as never]))
  return buildObject({
    ...{ guid, id, name, nickName },
    container: [
      ...buildSources(...from),
      ...(isLocked ? [buildItem('bool', 'Locked', true)] : []),
      ...(values.length > 0 ? [buildPersistentData({ '{0}': data })] : []),
    ],
  })
}

export const booleans = (id: number, values: readonly (boolean | null)[], parts: Parts = {}) =>
  parameter(BOOLEAN, 'Boolean', id, (value) => buildItem('bool', 'boolean', value), values, parts)

export const numbers = (id: number, values: readonly number[], parts: Parts = {}) =>
  parameter(NUMBER, 'Number', id, (value) => buildItem('double', 'number', value), values, parts)

export const texts = (id: number, values: readonly string[], parts: Parts = {}) =>
  parameter(TEXT, 'Text', id, (value) => buildItem('string', 'string', value), values, parts)

/** An Assert True, which comes from a library of Rhino. */
export const assertTrue = (
  id: number,
  from: readonly number[],
  { nickName = 'AT', isLocked = false }: Parts = {},
) =>
  buildObject({
    ...{
      guid: ASSERT_TRUE,
      id,
      name: 'Assert True',
      nickName,
      libraryId: '066d0a87-236f-4eae-a0f4-9e42f5327962',
    },
    container: [
      ...buildSources(...from),
      buildItem('int32', 'Access', 2),
      ...(isLocked ? [buildItem('bool', 'Locked', true)] : []),
    ],
  })

export const slider = (id: number, value: number, nickName = '') =>
  buildObject({
    guid: '57da07bd-ecab-415d-9d86-af36d7073abc',
    ...{ id, name: 'Number Slider', nickName },
    container: [
      ...buildSources(),
      buildChunk('Slider', [
        buildItem('int32', 'Digits', 3),
        buildItem('double', 'Min', 0),
        buildItem('double', 'Max', 1e9),
        buildItem('double', 'Value', value),
      ]),
    ],
  })

/** A component with inputs and outputs: `in` has the senders of each input. The ports have the ids after its own. */
function component(
  guid: string,
  name: string,
  id: number,
  inputs: readonly (readonly number[])[],
  outputs: number,
  more: object[] = [],
) {
  return buildObject({
    ...{ guid, id, name },
    container: [
      ...(more as never[]),
      ...inputs.map((senders, i) => buildPort('param_input', i, id + 1 + i, { senders: [...senders] })),
      ...Array.from({ length: outputs }, (_, i) => buildPort('param_output', i, id + 1 + inputs.length + i)),
    ],
  })
}

/** Series, whose count may be enormous: start, step and count; the output is id + 4. */
export const series = (id: number, start: number, step: number, count: number) =>
  component('e64c5fb1-845c-4ab1-8911-5f338516ba67', 'Series', id, [[start], [step], [count]], 1)

/** Division, which reports an error for a divisor of zero: the output is id + 3. */
export const division = (id: number, dividend: number, divisor: number) =>
  component('9c85271f-89fa-4e9f-9f4a-d75802120ccc', 'Division', id, [[dividend], [divisor]], 1)

/** Construct Point: x, y and z; the output is id + 4. */
export const point = (id: number, x: number, y: number, z: number) =>
  component('3581f42a-9592-4549-bd6b-1c0fc39d067b', 'Construct Point', id, [[x], [y], [z]], 1)

export const addition = (id: number, a: readonly number[], b: readonly number[]) =>
  component(ADDITION, 'Addition', id, [a, b], 1)

export const oldMultiplication = (id: number, a: readonly number[], b: readonly number[]) =>
  component(OLD_MULTIPLICATION, 'Multiplication', id, [a, b], 1)

/** A script in Python: one input, the output is id + 2. */
export const script = (id: number, from: readonly number[] = []) =>
  component(GH_PYTHON, 'GhPython Script', id, [from], 1, buildTexts({ CodeInput: 'a = x' }))

/** A component of a plug-in that nobody has: one input, the output is id + 2. */
export const plugin = (id: number, from: readonly number[] = []) =>
  buildObject({
    ...{ guid: PLUGIN_CLASS, id, name: 'Weave', libraryId: '99999999-2222-4333-8444-555555555555' },
    container: [
      buildPort('param_input', 0, id + 1, { senders: [...from] }),
      buildPort('param_output', 0, id + 2),
    ],
  })

/** The library of `plugin` by its name. */
export const pluginLibrary = () =>
  buildChunk('GHALibraries', [
    buildItem('int32', 'Count', 1),
    buildChunk(
      'Library',
      [
        buildItem('guid', 'Id', '99999999-2222-4333-8444-555555555555'),
        ...buildTexts({ Name: 'Weaver Bird', Author: 'Nobody', AssemblyVersion: '1.2.3.4' }),
      ],
      0,
    ),
  ])

/** A curve that is in a Rhino model. */
export const referencedCurve = (id: number, objectId: string) =>
  parameter(CURVE, 'Curve', id, (value) => buildItem('guid', 'RefID', value), [objectId], {})

/** A cluster without ports that has these objects inside. */
export const cluster = (id: number, objects: Parameters<typeof buildContent>[0], name = 'Cluster') =>
  buildCluster({ id, name, content: buildContent(objects) })
