import type { Port } from '@meadow/contract'
import { BRANCH_BYTES, VALUE_BYTES } from '@meadow/geometry/budget/budget'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Value } from '@meadow/geometry/values/value'
import { convert, toValue } from '../conversions/convert.ts'
import { getPortType, type PortType } from '../conversions/port-types.ts'
import type { AnyKind, Kind, ParameterKind, RunContext } from '../kinds/declaration/define-kind.ts'
import { listUnsupportedOptions } from '../kinds/declaration/options.ts'
import type { PortSpec } from '../kinds/declaration/ports.ts'
import { type KindInput, runKind } from '../matching/run-kind.ts'
import { countValues, countWork, createList, EMPTY_TREE, mapValues } from '../tree/tree.ts'
import { nameOfPath } from './files-beside.ts'
import type { MessageLog } from './messages.ts'
import {
  applyFlags,
  collectData,
  describeUnreadable,
  findOpaque,
  isOpaque,
  mayHoldOpaque,
  processValues,
  replaceInvalid,
  reportNonFinite,
} from './port-data.ts'
import type { PreparedNode } from './prepare-graph.ts'
import type { Data, PortData, SolveContext } from './solve-context.ts'
import { createCause, createUnknown, findCause, unknownOutputs } from './unknown.ts'

/** Solves a component. All nodes that its inputs are wired to are solved. Fails: `SolveError`. */
export function solveComponent(
  prepared: PreparedNode,
  kind: Kind,
  log: MessageLog,
  context: SolveContext,
): PortData {
  if (reportOptions(prepared, kind, log)) return unknownOutputs(prepared)
  const inputs = readInputs(prepared, kind, log, context)
  if (!inputs) return emptyOutputs(prepared)
  const kernel = kind.needs && context.kernels?.[kind.needs]
  if (kind.needs && !kernel) log.add('error', `The geometry kernel "${kind.needs}" is not loaded`, 'limit')
  if (!kind.ignoresValues) reportUnreadable(kind, inputs, log)
  if (log.has('limit')) return unknownOutputs(prepared)
  const outputs = prepared.outputs.map((_, i) => kind.outputs[i] ?? kind.moreOutputs ?? UNKNOWN_OUTPUT)
  const trees = runKind(kind, inputs, outputs, {
    context: { ...createRunContext(prepared, log, context), ...(kernel ? { kernel } : {}) },
    onError: (error) => {
      if (error instanceof SolveError) throw error
      log.add('error', describeException(error), 'limit')
    },
  })
  let bytes = 0
  const results = prepared.outputs.map(({ id, port }, i) => {
    const spec = outputs[i] ?? UNKNOWN_OUTPUT
    const output = processOutput(trees[i] as Data, spec, port, log, context)
    context.budget.reserve(countWork(output.data))
    bytes += output.bytes
    return [id, output.data] as const
  })
  context.budget.settle(bytes)
  reportNonFinite(
    inputs.map(({ tree }) => tree),
    results.map(([, data]) => data),
    log,
  )
  return log.has('limit') ? unknownOutputs(prepared) : new Map(results)
}

/** Reports the menu options that the kind does not take into account (rule O-1). True if there are any. */
function reportOptions({ node }: PreparedNode, kind: AnyKind, log: MessageLog): boolean {
  const ignored = listUnsupportedOptions(node, kind)
  for (const option of ignored) log.add('error', `The menu option ${option} is not supported`, 'limit')
  return ignored.length > 0
}

/** An exception is a fault of the solver, since kinds report what Grasshopper reports. */
export function describeException(error: unknown): string {
  return `Solution exception: ${error instanceof Error ? error.message : String(error)}`
}

/**
 * Reports undecoded geometry (rule C-12) on inputs of any type, unless the kind only passes such values on: it then has
 * an output of any type.
 */
function reportUnreadable(kind: Kind, inputs: readonly KindInput[], log: MessageLog): void {
  const passesValues = [...kind.outputs, kind.moreOutputs].some((spec) => spec?.type === 'any')
  if (passesValues) return
  for (const { port, tree } of inputs) {
    const unreadable = port.type === 'any' ? findOpaque(tree) : undefined
    if (unreadable) log.add('error', describeUnreadable(unreadable), 'limit')
  }
}

/** An output that the kind does not declare. */
const UNKNOWN_OUTPUT: PortSpec = { type: 'any', access: 'item', isOptional: true, takesNull: true }

/**
 * The inputs of a component with their data. Undefined, with a message, where a required input has no branches: the
 * kind does not run then (rule M-10). A required input that the node lacks is a limit.
 */
function readInputs(
  { node, inputs }: PreparedNode,
  kind: Kind,
  log: MessageLog,
  context: SolveContext,
): KindInput[] | undefined {
  const described: { port: Port; input: KindInput }[] = []
  for (const [i, { id, port }] of inputs.entries()) {
    const own = kind.inputs[i]
    const spec = own ?? kind.moreInputs
    if (!spec || !port) break
    const data = collectData(node, id, log, context)
    described.push({ port, input: createInput(data, own === undefined, spec, port, log, context) })
  }
  for (const [i, spec] of kind.inputs.entries()) {
    if (i < described.length || spec.isOptional) continue
    log.add('error', `The component lacks input ${i + 1} of ${kind.inputs.length}`, 'limit')
  }
  const empty = described.filter(({ input }) => !input.port.isOptional && input.tree.branches.length === 0)
  for (const { port } of empty) {
    log.add('warning', `Input parameter ${port.nickName || port.name} failed to collect data`, 'empty')
  }
  return empty.length > 0 ? undefined : described.map(({ input }) => input)
}

function createInput(
  collected: Data,
  isAdded: boolean,
  spec: PortSpec,
  port: Port,
  log: MessageLog,
  context: SolveContext,
): KindInput {
  // An input that users add may have its own type if the kind takes any.
  const type = isAdded && spec.type === 'any' ? getPortType(port.typeName) : spec.type
  const data = applyFlags(processValues(collected, type, port, log, context), port.flags)
  return {
    port: spec,
    access: spec.access,
    tree: isUnwrapped(spec.type)
      ? mapValues(data, (value) => (value === null ? null : convert(value, spec.type)))
      : data,
    isPrincipal: port.options?.includes('principal') ?? false,
  }
}

/** Kinds receive and return integers and paths as plain numbers and arrays, without the type tag of the value. */
function isUnwrapped(type: PortType): boolean {
  return type === 'integer' || type === 'path'
}

/** The data of an output and its estimated memory. Invalid values become null (rule F-8). */
function processOutput(
  tree: Data,
  spec: PortSpec,
  port: Port | undefined,
  log: MessageLog,
  context: SolveContext,
): { data: Data; bytes: number } {
  const values = isUnwrapped(spec.type)
    ? mapValues(tree, (value): Value | null => (value === null ? null : toValue(value, spec.type)))
    : tree
  const { data: valid, bytes } = replaceInvalid(values, 'error', log)
  const processed = port?.expression ? processValues(valid, spec.type, port, log, context) : valid
  const data = port ? applyFlags(processed, port.flags) : processed
  // Lists and trees of any type are passed through: their values count where they were made.
  const ownBytes = spec.type === 'any' && spec.access !== 'item' ? VALUE_BYTES * countValues(data) : bytes
  return { data, bytes: ownBytes + BRANCH_BYTES * data.branches.length }
}

/** Solves a parameter: the data of its single port, processed once, is both its input and its output (rule F-5). */
export function solveParameter(
  prepared: PreparedNode,
  kind: ParameterKind,
  log: MessageLog,
  context: SolveContext,
): PortData {
  if (reportOptions(prepared, kind, log)) return unknownOutputs(prepared)
  const { node, inputs, outputs } = prepared
  const { id, port } = inputs[0] ?? outputs[0] ?? {}
  if (id === undefined || !port) return new Map()
  const clusterInput = context.clusterInputs?.get(node.instanceId)
  if (findCause(clusterInput)) return new Map([[id, clusterInput as Data]])
  const collected = clusterInput ?? collectData(node, id, log, context)
  const runContext = createRunContext(prepared, log, context)
  const prepare = kind.prepare?.(collected, runContext) ?? collected
  const processed = processValues(prepare, kind.type, port, log, {
    makers: context.makers,
    passesOpaque: mayHoldOpaque(kind.type),
  })
  const { data: valid, bytes } = replaceInvalid(
    kind.change?.(processed, runContext) ?? processed,
    'warning',
    log,
  )
  const data = applyFlags(valid, port.flags)
  // Values that come along wires count where they were made.
  const isReceived = Object.hasOwn(node.sources, id) || clusterInput !== undefined
  const ownBytes = isReceived ? VALUE_BYTES * countValues(data) : bytes
  context.budget.settle(ownBytes + BRANCH_BYTES * data.branches.length)
  return new Map([[id, log.has('limit') ? createUnknown(createCause(node)) : data]])
}

/** The context of all runs of a kind for a node. */
function createRunContext(
  { node, inputs, outputs }: PreparedNode,
  log: MessageLog,
  { budget, tolerance, angleTolerance, materials, files }: SolveContext,
): RunContext {
  return {
    node,
    tolerance,
    angleTolerance,
    inputNames: inputs.map(({ port }) => port?.nickName ?? ''),
    outputNames: outputs.map(({ port }) => port?.nickName ?? ''),
    error: (message) => log.add('error', message),
    warn: (message) => log.add('warning', message),
    remark: (message) => log.add('remark', message),
    limit: (message) => log.add('error', message, 'limit'),
    approximate: (message) => log.add('remark', message, 'approximate'),
    reserve: budget.reserve,
    readFile(path) {
      const name = nameOfPath(path)
      const file = files?.get(name.toLowerCase()) ?? { fault: NO_FILE }
      if ('text' in file) return file.text
      log.add('error', `The file “${name}” ${file.fault}`, 'limit')
      return undefined
    },
    paint(value, material) {
      if (isGeometry(value) || isOpaque(value)) materials?.set(value, material)
    },
  }
}

const NO_FILE = 'is not beside the document. Upload it to the folder of the document, and solve again.'

/** The outputs of a node that did not run for lack of data: no branches. */
export function emptyOutputs({ outputs }: PreparedNode): PortData {
  return new Map(outputs.map(({ id }) => [id, EMPTY_TREE]))
}

/** The outputs of a node that failed as a whole: one null each. */
export function nullOutputs({ outputs }: PreparedNode): PortData {
  return new Map(outputs.map(({ id }) => [id, createList([null])]))
}
