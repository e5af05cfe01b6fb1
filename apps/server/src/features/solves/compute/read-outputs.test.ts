import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { decodeGeometry, encodeGeometry } from '@meadow/model'
import { toWireTree } from '@meadow/solver'
import fc from 'fast-check'
import { type ComputeItem, decodeItems } from './compute-values.ts'
import type { AskedPort } from './probes.ts'
import { readAnswer } from './read-answer.ts'
import { readOutputs } from './read-outputs.ts'

type Tree = Record<string, ComputeItem[]>

const LIBRARY = {
  decode: async (encoded: Parameters<typeof decodeGeometry>[0][]) => encoded.map(decodeGeometry),
}

const integer = (value: number): ComputeItem => ({ type: 'System.Int32', data: String(value) })
const double = (value: number): ComputeItem => ({ type: 'System.Double', data: String(value) })
const boolean = (value: boolean): ComputeItem => ({ type: 'System.Boolean', data: String(value) })

const PORT: AskedPort = { portId: 'a', values: 'V', length: 'L', isNull: 'N' }
const DESCRIBED: AskedPort = { ...PORT, text: 'T' }
const flags = (...nulls: boolean[]): ComputeItem[] => nulls.map(boolean)

/** The output as the API shows it; undefined when its positions were not recovered. */
async function readPort(port: AskedPort, outputs: Record<string, Tree>) {
  const plan = {
    nodes: [{ nodeId: 'n', classId: undefined, innerClassIds: [], isEnvironmental: false, ports: [port] }],
  }
  const tree = (await readOutputs(plan, { outputs: new Map(Object.entries(outputs)) }, LIBRARY)).get('a')
  return (
    tree &&
    toWireTree(tree).branches.map(({ path, values }) => [path, values.map((value) => value?.value ?? null)])
  )
}

test('[CMP-5] given branches in any order, when an output is read, then its branches are in path order, with every value at its place', async () => {
  const outputs = {
    L: { '{10}': [integer(1)], '{2;1}': [integer(3)], '{2}': [integer(0)] },
    V: { '{2;1;2}': [double(5)], '{2;1;0}': [double(3)], '{2;1;1}': [], '{10;0}': [double(7)], '{2;0}': [] },
    N: { '{2;1}': flags(false, true, false), '{10}': flags(false), '{2}': [] },
  }
  assert.deepEqual(await readPort(PORT, outputs), [
    ['{2}', []],
    ['{2;1}', [3, null, 5]],
    ['{10}', [7]],
  ])
})

test('[CMP-5] given a server whose Graft leaves out nulls, when an output is read, then every value is at its place', async () => {
  const outputs = {
    L: { '{0}': [integer(4)] },
    V: { '{0;1}': [double(1)], '{0;3}': [double(2)] },
    N: { '{0}': flags(true, false, true, false) },
  }
  assert.deepEqual(await readPort(PORT, outputs), [['{0}', [null, 1, null, 2]]])
  // If the others moved up, none is certain.
  const closedUp = { '{0;0}': [double(1)], '{0;1}': [double(2)] }
  assert.equal(await readPort(PORT, { ...outputs, V: closedUp }), undefined)
})

test('[CMP-5] given an answer that contradicts itself, when an output is read, then its positions are not recovered', async () => {
  const whole = { L: { '{0}': [integer(1)] }, V: { '{0;0}': [double(1)] }, N: { '{0}': flags(false) } }
  assert.deepEqual(await readPort(PORT, whole), [['{0}', [1]]])
  const { L, V, N } = whole
  const contradictions: Record<string, Tree>[] = [
    { L, V },
    { L, N },
    { V, N },
    // More values than the lengths say, and a value outside of all branches.
    { L, N, V: { ...V, '{0;1}': [double(2)] } },
    { L: {}, V, N },
    // Two values in a branch that holds one.
    { L, N, V: { '{0;0}': [double(1), double(2)] } },
    // Lengths that are none.
    { L: { '{0}': [] }, V, N },
    { L: { '{0}': [boolean(true)] }, V, N },
    { L: { zero: [integer(1)] }, V, N: { zero: flags(false) } },
    // Fewer values than the length, and a null that has a value.
    { L: { '{0}': [integer(2)] }, V, N },
    { L, V, N: { '{0}': flags(true) } },
    { L, V, N: { '{0}': [integer(0)] } },
  ]
  for (const outputs of contradictions)
    assert.equal(await readPort(PORT, outputs), undefined, JSON.stringify(outputs))
})

test('[CMP-6] given a value that is not null and did not come, when an output is read, then it is described', async () => {
  const L = { '{0}': [integer(3)] }
  const V = { '{0;0}': [], '{0;1}': [double(1)], '{0;2}': [] }
  const N = { '{0}': flags(true, false, false) }
  const T = { '{0;2}': [{ type: 'System.String', data: '"a matrix"' }] }
  assert.deepEqual(await readPort(DESCRIBED, { L, V, N, T }), [
    ['{0}', [null, 1, { description: 'a matrix' }]],
  ])
  const unnamed = 'A value of a type that Rhino.Compute does not send'
  assert.deepEqual(await readPort(DESCRIBED, { L, V, N, T: {} }), [
    ['{0}', [null, 1, { description: unnamed }]],
  ])
  assert.deepEqual(await readPort(PORT, { L, V, N }), [['{0}', [null, 1, { description: unnamed }]]])
})

test('[CMP-6] given a colour whose channels are not from 0 to 255, when it is read, then it is described', async () => {
  const port: AskedPort = { ...DESCRIBED, parts: { type: 'Colour', names: ['A', 'R', 'G', 'B'] } }
  const at = (item: ComputeItem): Tree => ({ '{0;0}': [item] })
  const outputs = {
    L: { '{0}': [integer(1)] },
    V: { '{0;0}': [] },
    N: { '{0}': flags(false) },
    T: at({ type: 'System.String', data: '"255,0,0"' }),
  }
  const whole = { A: at(integer(255)), R: at(integer(10)), G: at(integer(20)), B: at(integer(30)) }
  assert.deepEqual(await readPort(port, { ...outputs, ...whole }), [['{0}', ['#0a141eff']]])
  const parts = { ...whole, R: at(double(0.5)) }
  assert.deepEqual(await readPort(port, { ...outputs, ...parts }), [['{0}', [{ description: '255,0,0' }]]])
})

const decode = async (type: string, data: string): Promise<DataValue> => {
  const [value] = await decodeItems([{ type, data }], LIBRARY)
  return toWireTree({ branches: [{ path: [0], values: [value!] }] }).branches[0]!.values[0]!
}

test('[CMP-7] given any curve of the solver, when it comes as an openNURBS object, then it is decoded as from a file', async () => {
  const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  const xyz = fc.record({ x: coordinate, y: coordinate, z: coordinate })
  await fc.assert(
    fc.asyncProperty(fc.array(xyz, { minLength: 3, maxLength: 9 }), async (vertices) => {
      const encoded = encodeGeometry({ type: 'polyline', vertices })!
      const item = { type: 'Rhino.Geometry.PolylineCurve', data: JSON.stringify(encoded) }
      assert.deepEqual(await decodeItems([item], LIBRARY), [decodeGeometry(encoded)])
    }),
    { numRuns: 50 },
  )
})

test('[CMP-7] given values that are not finite, damaged or of other types, when they are decoded, then numbers keep what they are, and the rest is described', async () => {
  assert.deepEqual(await decode('System.Double', '"NaN"'), { type: 'number', value: 'NaN' })
  assert.deepEqual(await decode('System.Double', '-Infinity'), { type: 'number', value: '-Infinity' })
  const described = (description: string) => ({ type: 'unknown', value: { description } })
  assert.deepEqual(await decode('Rhino.Geometry.Point3d', '{"X":0,"Y":"NaN","Z":0}'), described('Point3d'))
  assert.deepEqual(await decode('Rhino.Geometry.Circle', '{"Radius":1}'), described('Circle'))
  assert.deepEqual(await decode('Acme.Weave', '{"X":0,"Y":0,"Z":0}'), described('Weave'))
  assert.deepEqual(await decode('Acme.Weave', 'not JSON'), described('Weave'))
  assert.deepEqual(await decode('constructor', '{}'), described('constructor'))
  assert.deepEqual(await decode('__proto__', '1'), described('__proto__'))
  assert.deepEqual(await decode('System.Boolean', '"yes"'), described('Boolean'))
  const subd = { version: 10000, archive3dm: 70, opennurbs: -1910998424, data: 'AAAA' }
  assert.deepEqual(await decode('Rhino.Geometry.SubD', JSON.stringify(subd)), {
    ...described('SubD'),
    geometry: subd,
  })
})

test('[CMP-8] given messages of many forms, when an answer is read, then each belongs to the component whose id ends it', () => {
  const id = '0badcafe-0000-4000-8000-00000000000A'
  const errors = [
    `1. Solution exception: it: component "x" failed\nline 2: component "C# "Script"" (${id})`,
    'Multiple output parameters with the same name were detected.',
    7,
  ]
  const answer = { values: [], errors, warnings: null }
  const read = readAnswer(Buffer.from(JSON.stringify(answer)))
  assert.deepEqual(
    [...read.errors],
    [[id.toLowerCase(), ['1. Solution exception: it: component "x" failed\nline 2']]],
  )
  assert.equal(read.warnings.size, 0)
})
