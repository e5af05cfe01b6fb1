import { comparePaths, findPath, formatPath } from '@meadow/document'
import type { Value } from '@meadow/geometry/values/value'
import type { ModelLibrary } from '@meadow/model'
import type { Branch, Data } from '@meadow/solver'
import type { ComputePlan } from './ask-compute.ts'
import {
  type ComputeItem,
  createColour,
  createDomain,
  decodeItems,
  describe,
  readBoolean,
  readNumber,
  readString,
} from './compute-values.ts'
import type { AskedPort } from './probes.ts'
import type { ComputeAnswer } from './read-answer.ts'

/** The values of an output; undefined when their positions could not be recovered. */
export type OutputData = Data | undefined

/** Reads the values of all outputs that a plan asks for, by port id. */
export async function readOutputs(
  { nodes }: Pick<ComputePlan, 'nodes'>,
  { outputs }: Pick<ComputeAnswer, 'outputs'>,
  library: Pick<ModelLibrary, 'decode'>,
): Promise<Map<string, OutputData>> {
  const read = nodes.flatMap(({ ports }) => ports.map((port) => ({ port, tree: readTree(port, outputs) })))
  const items = read.flatMap(({ tree }) => tree?.flatMap(({ values }) => values.filter(isItem)) ?? [])
  const decoded = (await decodeItems(items, library)).values()
  const take = (slot: Slot) => (isItem(slot) ? decoded.next().value! : slot)
  return new Map(
    read.map(({ port, tree }) => [
      port.portId,
      tree && { branches: tree.map(({ path, values }) => ({ path, values: values.map(take) })) },
    ]),
  )
}

/** A value that came, or what is known about one that did not. */
type Slot = ComputeItem | Value | null

const isItem = (slot: Slot): slot is ComputeItem =>
  typeof slot === 'object' && slot !== null && 'data' in slot

type Outputs = ComputeAnswer['outputs']

/**
 * Puts the values of an output into their branches, in path order. Undefined when what came contradicts the lengths of
 * the branches, or which values are null. Grasshopper writes paths as we do.
 */
function readTree(port: AskedPort, outputs: Outputs): Branch<Slot>[] | undefined {
  const [values, lengths, nulls] = [port.values, port.length, port.isNull].map((name) => outputs.get(name))
  if (!values || !lengths || !nulls) return undefined
  const branches: Branch<Slot>[] = []
  let itemCount = 0
  for (const [text, [length]] of Object.entries(lengths)) {
    const path = findPath(text)
    const flags = nulls[text] ?? []
    if (!path || readNumber(length) !== flags.length) return undefined
    const slots: Slot[] = []
    for (const [index, flag] of flags.entries()) {
      const slot = readSlot(port, formatPath([...path, index]), readBoolean(flag), outputs)
      if (slot === undefined) return undefined
      if (isItem(slot)) itemCount++
      slots.push(slot)
    }
    branches.push({ path, values: slots })
  }
  const received = Object.values(values).reduce((sum, { length }) => sum + length, 0)
  return itemCount === received ? branches.sort((a, b) => comparePaths(a.path, b.path)) : undefined
}

/** What is known about one value; undefined for a contradiction. */
function readSlot(
  port: AskedPort,
  at: string,
  isNull: boolean | undefined,
  outputs: Outputs,
): Slot | undefined {
  const branch = outputs.get(port.values)![at]
  const [item, ...others] = branch ?? []
  if (isNull) return item ? undefined : null
  if (isNull === undefined || !branch || others.length > 0) return undefined
  if (item) return item
  const find = (name: string) => outputs.get(name)?.[at]?.[0]
  return (port.parts && readParts(port.parts, find)) ?? describe(readText(port.text && find(port.text)))
}

function readParts(
  { type, names }: NonNullable<AskedPort['parts']>,
  find: (name: string) => ComputeItem | undefined,
) {
  const items = names.map(find)
  const [a, b, c, d] = items.map(readNumber)
  if (a === undefined || b === undefined) return undefined
  if (type === 'Domain') return createDomain(a, b)
  const areChannels = items.every((item) => item?.type === 'System.Int32')
  return c === undefined || d === undefined || !areChannels ? undefined : createColour(a, b, c, d)
}

function readText(item: ComputeItem | '' | undefined): string {
  const text = item ? readString(item) : undefined
  return text ?? 'A value of a type that Rhino.Compute does not send'
}
