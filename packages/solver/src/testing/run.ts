import type { MessageCode, Node, Port } from '@meadow/contract'
import { findPath, formatPath } from '@meadow/document'
import { type BudgetOptions, createBudget, runWithin } from '@meadow/geometry/budget/budget'
import type { Kernels } from '@meadow/geometry/kernels/kernels'
import type { Value } from '@meadow/geometry/values/value'
import type { PortSpec } from '../kinds/declaration/ports.ts'
import { findKind } from '../kinds/index.ts'
import type { FilesBeside } from '../solve/files-beside.ts'
import { createMessageLog } from '../solve/messages.ts'
import { prepareNode } from '../solve/prepare-graph.ts'
import { createShapeMakers } from '../solve/shape-makers.ts'
import type { Data } from '../solve/solve-context.ts'
import { solveComponent, solveParameter } from '../solve/solve-node.ts'
import { createList, createTree, EMPTY_TREE } from '../tree/tree.ts'

/** An item, a list in `{0}`, a tree by path, or no data. */
export type InputData =
  | Value
  | null
  | readonly (Value | null)[]
  | Readonly<Record<`{${string}}`, readonly (Value | null)[]>>
  | undefined

export interface RunSettings {
  /** The number of outputs; by default those of the kind. */
  outputs?: number
  /** Overrides for the ports of inputs, by index. */
  ports?: Readonly<Record<number, Partial<Port>>>
  outputPorts?: Readonly<Record<number, Partial<Port>>>
  state?: Record<string, unknown>
  inputNames?: readonly string[]
  kernels?: Kernels
  files?: FilesBeside
  /** Without limits by default. */
  limits?: BudgetOptions
}

/** The values of one output by path: `{ '{0}': [1, 2] }`. */
export type Shown = Record<string, readonly (Value | null)[]>

/** Solves one node of a kind with the real solver, with the data as if it came along wires. */
export function run(
  guid: string,
  inputs: readonly InputData[],
  settings: RunSettings = {},
): { outputs: Shown[]; messages: string[]; codes: MessageCode[] } {
  const kind = findKind(guid)
  if (!kind) throw new Error(`No kind ${guid}`)
  const isParameter = 'type' in kind
  const inputIds = inputs.map((_, i) => (isParameter ? 'node' : `in${i}`))
  const outputCount = isParameter ? 1 : (settings.outputs ?? kind.outputs.length)
  const outputIds = Array.from({ length: outputCount }, (_, i) => (isParameter ? 'node' : `out${i}`))
  const getSpec = (i: number) => (isParameter ? undefined : (kind.inputs[i] ?? kind.moreInputs))
  const node: Node = {
    instanceId: 'node',
    templateId: guid,
    name: 'Node',
    nickName: 'Node',
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: true },
    inputs: Object.fromEntries(inputIds.map((id, i) => [id, i])),
    outputs: Object.fromEntries(outputIds.map((id, i) => [id, i])),
    sources: Object.fromEntries(
      inputIds.map((id, i) => [id, [{ nodeInstanceId: 'wires', portInstanceId: `wire${i}` }]]),
    ),
    values: {},
    ports: Object.fromEntries([
      ...outputIds.map((id, i) => [id, createPort(`O${i}`, undefined, settings.outputPorts?.[i])] as const),
      ...inputIds.map((id, i) => {
        const name = settings.inputNames?.[i] ?? `I${i}`
        return [id, createPort(name, getSpec(i), settings.ports?.[i])] as const
      }),
    ]),
    ...(settings.state ? { state: settings.state } : {}),
  }
  const wires = new Map(inputs.map((data, i) => [`wire${i}`, toData(data)]))
  const log = createMessageLog('node')
  const context = {
    solved: new Map([['wires', wires]]),
    budget: createBudget(settings.limits ?? {}),
    tolerance: 0.001,
    makers: createShapeMakers(0.001),
    angleTolerance: Math.PI / 180,
    ...(settings.kernels ? { kernels: settings.kernels } : {}),
    ...(settings.files ? { files: settings.files } : {}),
  }
  const prepared = prepareNode(node)
  const ports = runWithin(context.budget, () =>
    isParameter ? solveParameter(prepared, kind, log, context) : solveComponent(prepared, kind, log, context),
  )
  return {
    outputs: outputIds.map((id) => show(ports.get(id) ?? EMPTY_TREE)),
    messages: log.list().map(({ level, message }) => `${level}: ${message}`),
    codes: log.list().map(({ code }) => code),
  }
}

/** The values of the only branch of each output, at any path; undefined for an output without branches. */
export function listOnly(outputs: readonly Shown[]): (Shown[string] | undefined)[] {
  return outputs.map((output) => {
    const [values, ...others] = Object.values(output)
    if (others.length > 0) throw new Error(`Several branches: ${Object.keys(output).join(', ')}`)
    return values
  })
}

/** A tree as a record of its branches. */
export function show(tree: Data): Shown {
  return Object.fromEntries(tree.branches.map(({ path, values }) => [formatPath(path), values]))
}

function createPort(nickName: string, spec: PortSpec | undefined, changes: Partial<Port> = {}): Port {
  return { name: nickName, nickName, typeName: 'Data', access: spec?.access ?? 'item', flags: [], ...changes }
}

function toData(input: InputData): Data {
  if (input === undefined) return EMPTY_TREE
  if (input === null || typeof input !== 'object' || 'type' in input)
    return createList([input as Value | null])
  if (Array.isArray(input)) return createList(input as readonly (Value | null)[])
  return createTree(
    Object.entries(input).map(([path, values]) => ({
      path: findPath(path) ?? [0],
      values: values as readonly (Value | null)[],
    })),
  )
}
