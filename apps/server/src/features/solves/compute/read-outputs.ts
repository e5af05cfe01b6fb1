import { comparePaths, findPath, formatPath, type Path } from '@meadow/document'
import type { ModelLibrary } from '@meadow/model'
import type { Branch, Data, Value } from '@meadow/solver'
import type { ComputePlan } from './ask-compute.ts'
import {
  type ComputeItem,
  createColour,
  createDomain,
  decodeItems,
  describe,
  readNumber,
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

/**
 * Puts the values of an output into their branches, in path order. Undefined when what came contradicts the lengths of
 * the branches, or does not say which values are null.
 */
function readTree(port: AskedPort, outputs: ComputeAnswer['outputs']): Branch<Slot>[] | undefined {
  const lengths = outputs.get(port.length)
  const read = indexBranches(outputs.get(port.values))
  if (!lengths || !read) return undefined
  const branches: Branch<Slot>[] = []
  let items = 0
  for (const [text, [length]] of Object.entries(lengths)) {
    const [path, count] = [findPath(text), readNumber(length)]
    if (!path || count === undefined) return undefined
    const values: Slot[] = []
    for (let i = 0; i < count; i++) {
      const at = formatPath([...path, i])
      const [item, ...others] = read.get(at) ?? [undefined, undefined]
      if (others.length > 0) return undefined
      const slot = item ?? describeMissing(port, at, outputs)
      if (slot === undefined) return undefined
      if (item) items++
      values.push(slot)
    }
    branches.push({ path, values })
  }
  const isWhole = items === count([...read.values()])
  return isWhole ? branches.sort((a, b) => comparePaths(a.path, b.path)) : undefined
}

const count = (lists: readonly (readonly unknown[])[]) => lists.reduce((sum, list) => sum + list.length, 0)

type Items = readonly ComputeItem[]

/** The branches of an output by their paths in our form; undefined for an output that did not come. */
function indexBranches(tree: Readonly<Record<string, Items>> | undefined): Map<string, Items> | undefined {
  if (!tree) return undefined
  const known = new Map<string, Items>()
  for (const [text, items] of Object.entries(tree)) {
    const path: Path | undefined = findPath(text)
    if (path) known.set(formatPath(path), items)
  }
  return known
}

/** What is known about a value that the server dropped; undefined when it is not known whether it is null. */
function describeMissing(
  port: AskedPort,
  at: string,
  outputs: ComputeAnswer['outputs'],
): Value | null | undefined {
  const find = (name: string) => outputs.get(name)?.[at]?.[0]
  if (port.isNull === undefined) return null
  const isNull = find(port.isNull)?.data
  if (isNull !== 'true' && isNull !== 'false') return undefined
  if (isNull === 'true') return null
  return (port.parts && readParts(port.parts, find)) ?? describe(readText(find(port.text!)))
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

function readText(item: ComputeItem | undefined): string {
  const text: unknown = item?.type === 'System.String' ? JSON.parse(item.data) : undefined
  return typeof text === 'string' ? text : 'A value of a type that Rhino.Compute does not send'
}
