import type { Node, Port } from '@meadow/contract'
import { BRANCH_BYTES, type Budget, VALUE_BYTES } from '../budget/budget.ts'
import { SolveError } from '../budget/solve-error.ts'
import { convert, toValue } from '../conversions/convert.ts'
import { getPortType, type PortType } from '../conversions/port-types.ts'
import type { Kind } from '../kinds/declaration/define-kind.ts'
import type { PortSpec } from '../kinds/declaration/ports.ts'
import { type KindInput, type KindOutput, runKind } from '../matching/run-kind.ts'
import { countValues, countWork, createList, EMPTY_TREE, mapValues } from '../tree/tree.ts'
import type { Value } from '../values/value.ts'
import { applyFlags } from './apply-flags.ts'
import { collectData } from './collect-data.ts'
import { listPorts } from './list-ports.ts'
import type { MessageBook } from './messages.ts'
import { createRunContext } from './run-context.ts'
import type { SolveContext } from './solve-context.ts'
import { type Data, refuseInvalid, treatValues } from './treat-data.ts'

/** What a node's ports hold once it is solved: its outputs, and the one port of a parameter. */
export type PortData = ReadonlyMap<string, Data>

/** Solves one node of a kind; all that feeds it is solved. Fails: `SolveError` when the solve has to end. */
export function solveNode(node: Node, kind: Kind, messages: MessageBook, solve: SolveContext): PortData {
  const [inputIds, outputIds] = [listPorts(node.inputs), listPorts(node.outputs)]
  const inputs = inputIds.flatMap((id, i) => {
    const [key, spec] = kind.inputs[i] ?? [undefined, kind.moreInputs]
    const port = node.ports[id]
    return spec && port ? [takeInput(node, id, port, key, spec, messages, solve)] : []
  })
  if (lacksData(node, kind, inputs, messages)) return emptyOutputs(outputIds)
  const outputs = outputIds.map((_, i): KindOutput => {
    const [key, spec] = kind.outputs[i] ?? [undefined, kind.moreOutputs]
    return { ...(key === undefined ? {} : { key }), port: spec ?? UNKNOWN_OUTPUT }
  })
  const trees = runKind(kind, inputs, outputs, {
    context: createRunContext(node, messages, solve),
    onError: (error) => {
      if (error instanceof SolveError) throw error
      messages.add('error', `Solution exception: ${error instanceof Error ? error.message : String(error)}`)
    },
  })
  let bytes = 0
  const given = outputIds.map((id, i) => {
    const output = giveOutput(
      trees[i] as Data,
      outputs[i]?.port ?? UNKNOWN_OUTPUT,
      node.ports[id],
      messages,
      solve.budget,
    )
    bytes += output.bytes
    return [id, output.data] as const
  })
  solve.budget.settle(bytes)
  return new Map(given)
}

const UNKNOWN_OUTPUT: PortSpec = { type: 'any', access: 'item', isOptional: true, takesNull: true }

function takeInput(
  node: Node,
  id: string,
  port: Port,
  key: string | undefined,
  spec: PortSpec,
  messages: MessageBook,
  solve: SolveContext,
): KindInput {
  const type = findInputType(key, spec, port)
  const collected = collectData(node, id, messages, solve)
  const data = applyFlags(treatValues(collected, type, port, messages), port.flags)
  return {
    ...(key === undefined ? {} : { key }),
    port: spec,
    access: spec.access,
    tree: unwraps(spec.type)
      ? mapValues(data, (value) => (value === null ? null : convert(value, spec.type)))
      : data,
    isPrincipal: port.options?.includes('principal') ?? false,
  }
}

/** Where users add inputs that take anything, such a port may still have a type of its own. */
function findInputType(key: string | undefined, { type }: PortSpec, port: Port): PortType {
  return key === undefined && type === 'any' ? getPortType(port.typeName) : type
}

/** Whole numbers and paths lose their mark on the way to a kind. */
function unwraps(type: PortType): boolean {
  return type === 'integer' || type === 'path'
}

/** A kind does not run while an input that it needs has no branches at all, or is not there. */
function lacksData(node: Node, kind: Kind, inputs: readonly KindInput[], messages: MessageBook): boolean {
  const ids = listPorts(node.inputs)
  const missing = kind.inputs.slice(inputs.length).filter(([, spec]) => !spec.isOptional)
  for (const [key] of missing) messages.add('error', `The component lacks its input "${key}"`)
  let lacks = missing.length > 0
  for (const [i, { port, tree }] of inputs.entries()) {
    if (port.isOptional || tree.branches.length > 0) continue
    const { nickName = '', name = '' } = node.ports[ids[i] ?? ''] ?? {}
    messages.add('warning', `Input parameter ${nickName || name} failed to collect data`)
    lacks = true
  }
  return lacks
}

/** Outputs of a node that did not run for want of data: no branches. */
export function emptyOutputs(outputIds: readonly string[]): PortData {
  return new Map(outputIds.map((id) => [id, EMPTY_TREE]))
}

/** Outputs of a node that could not be solved: one null each. */
export function nullOutputs(node: Node): PortData {
  return new Map(listPorts(node.outputs).map((id) => [id, createList([null])]))
}

/** What an output gives, and the memory that this takes, as estimated. What is not valid becomes null (rule F-8). */
function giveOutput(
  tree: Data,
  spec: PortSpec,
  port: Port | undefined,
  messages: MessageBook,
  budget: Budget,
): { data: Data; bytes: number } {
  const values = unwraps(spec.type)
    ? mapValues(tree, (value): Value | null => (value === null ? null : toValue(value, spec.type)))
    : tree
  const { data, bytes } = refuseInvalid(values, 'error', messages)
  const treated = port?.expression ? treatValues(data, spec.type, port, messages) : data
  const given = port ? applyFlags(treated, port.flags) : treated
  budget.reserve(countWork(given))
  // Lists and trees of any type are handed on: their values count where they were made.
  const own = spec.type === 'any' && spec.access !== 'item' ? VALUE_BYTES * countValues(given) : bytes
  return { data: given, bytes: own + BRANCH_BYTES * given.branches.length }
}
