import assert from 'node:assert/strict'
import type { Kernels } from '@meadow/geometry/kernels/kernels'
import type { Value } from '@meadow/geometry/values/value'
import { describeKinds, type KindDescription } from '../../kinds/describe-kinds.ts'
import { findKind } from '../../kinds/index.ts'
import { type InputData, type RunSettings, run, type Shown } from '../run.ts'
import type { CaseData, ExpectedValue, KindCases, ReferenceCase } from './case-file.ts'
import { measure } from './measure.ts'
import { isBranches, isList, readCaseData, readCaseValue } from './read-value.ts'

const DEFAULT_TOLERANCE = 1e-9
const DESCRIPTIONS: ReadonlyMap<string, KindDescription> = new Map(
  describeKinds().map((kind) => [kind.guid, kind]),
)

/** Runs a case with the real solver and compares its outputs and messages with what it expects. */
export function checkCase({ guid }: KindCases, example: ReferenceCase, kernels: Kernels): void {
  const { inputs, outputs, messages = [], limit, tolerance = DEFAULT_TOLERANCE } = example
  const description = getDescription(guid)
  const solved = run(guid, arrangeInputs(guid, inputs), { ...createSettings(guid, example), kernels })
  if (limit !== undefined) {
    const index = solved.codes.indexOf('limit')
    assert.ok(solved.messages[index]?.startsWith(`error: ${limit}`), solved.messages.join('; '))
    return
  }
  for (const [name, expected] of Object.entries(outputs)) {
    const index = findPort(description.outputs, name)
    const isInteger = description.outputs[index]?.type === 'Integer'
    const shown = solved.outputs[index]
    assert.ok(shown, `there is no output ${name}`)
    compareTrees(shown, toBranches(expected), { tolerance, isInteger, name })
  }
  assert.equal(solved.messages.length, messages.length, `messages: ${solved.messages.join('; ')}`)
  for (const [i, start] of messages.entries())
    assert.ok(solved.messages[i]?.startsWith(start), `${solved.messages[i]} does not start with ${start}`)
}

/** The description of a class; a parameter has one port on each side, named like the kind. */
export function getDescription(guid: string): KindDescription {
  const description = DESCRIPTIONS.get(guid)
  const kind = findKind(guid)
  if (!description || !kind) throw new Error(`Unknown class ${guid}`)
  if (!('type' in kind)) return description
  const { name } = description
  const type = kind.type === 'integer' ? 'Integer' : 'Data'
  const port = { name, nickName: name, type, access: 'tree', isOptional: true, isRepeated: false } as const
  return { ...description, inputs: [port], outputs: [port] }
}

function arrangeInputs(guid: string, inputs: ReferenceCase['inputs']): InputData[] {
  const ports = getDescription(guid).inputs
  const given = Object.entries(inputs).map(([name, data]) => [findPort(ports, name), data] as const)
  const fixed = ports.filter(({ isRepeated }) => !isRepeated).length
  const count = Math.max(fixed, ...given.map(([index]) => index + 1))
  const arranged = new Map(given)
  return Array.from({ length: count }, (_, i) => readCaseData(arranged.get(i)))
}

function createSettings(guid: string, example: ReferenceCase): RunSettings {
  const { ports = {}, options, state, outputs } = example
  const description = getDescription(guid)
  const named = Object.keys(outputs).map((name) => findPort(description.outputs, name))
  const changes = Object.entries(ports).map(([name, port]) => [findPort(description.inputs, name), port])
  return {
    ports: Object.fromEntries(changes),
    ...(options ? { state: { kind: 'options', options } } : {}),
    ...(state ? { state } : {}),
    outputs: Math.max(countOutputs(guid), ...named.map((index) => index + 1)),
  }
}

/** The outputs of a new node, without those that can be added. */
function countOutputs(guid: string): number {
  return getDescription(guid).outputs.filter(({ isRepeated }) => !isRepeated).length
}

/** The index of a port: by name, else by nickname, or `#2`. */
function findPort(ports: KindDescription['inputs'], name: string): number {
  const numbered = /^#(\d+)$/.exec(name)
  if (numbered) return Number(numbered[1])
  for (const key of ['name', 'nickName'] as const) {
    const found = ports.flatMap((port, i) => (port[key] === name ? [i] : []))
    if (found.length === 1) return found[0] as number
  }
  throw new Error(`No port, or several ports, called ${name}: ${ports.map((port) => port.name).join(', ')}`)
}

type Branches = Readonly<Record<string, readonly ExpectedValue[]>>

function toBranches(data: CaseData<ExpectedValue>): Branches {
  if (isBranches(data)) return data as Branches
  return { '{0}': isList(data) ? data : [data] }
}

interface Comparison {
  tolerance: number
  /** Bare numbers are integers. */
  isInteger: boolean
  /** The place that a failure names. */
  name: string
}

function compareTrees(shown: Shown, expected: Branches, how: Comparison): void {
  assert.deepEqual(Object.keys(shown), Object.keys(expected), `${how.name}: paths`)
  for (const [path, values] of Object.entries(expected)) {
    const found = shown[path] ?? []
    assert.equal(found.length, values.length, `${how.name} ${path}: ${JSON.stringify(found)}`)
    for (const [i, value] of values.entries())
      compareValues(found[i] as Value | null, value, { ...how, name: `${how.name} ${path}[${i}]` })
  }
}

function compareValues(found: Value | null, expected: ExpectedValue, how: Comparison): void {
  if (typeof expected === 'object' && expected !== null && 'measured' in expected) {
    compare(measure(found, expected.measured), expected.measured, how)
    return
  }
  const value = readCaseValue(expected)
  const isBare = typeof value === 'number' && typeof expected === 'number'
  compare(found, isBare && how.isInteger ? { type: 'integer', value } : value, how)
}

/** Compares two values part by part, numbers within the tolerance. */
function compare(found: unknown, expected: unknown, how: Comparison): void {
  if (typeof expected === 'number') {
    assert.equal(
      typeof found,
      'number',
      `${how.name}: ${JSON.stringify(found)} is not the number ${expected}`,
    )
    const isClose =
      Object.is(found, expected) ||
      Math.abs((found as number) - expected) <= how.tolerance * Math.max(1, Math.abs(expected))
    assert.ok(isClose, `${how.name}: ${found} is not ${expected}`)
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof found === 'object' && found !== null, `${how.name}: ${JSON.stringify(found)}`)
    assert.deepEqual(listParts(found, expected), Object.keys(expected).sort(), `${how.name}: parts`)
    for (const [key, part] of Object.entries(expected))
      compare(Reflect.get(found, key), part, { ...how, name: `${how.name}.${key}` })
  } else {
    assert.equal(found, expected, how.name)
  }
}

/** The keys of a found value; locations within geometry may be points, which have a type. */
function listParts(found: object, expected: object): string[] {
  const keys = Object.keys(found).sort()
  return 'type' in expected ? keys : keys.filter((key) => key !== 'type')
}
