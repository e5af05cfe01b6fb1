import { type DataTree, type Node, sameJson } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { removeItem, setItem } from '../../archive/tree/edit.ts'
import { findChunk, findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toText } from '../model/coerce.ts'
import { type DefinitionObject, listPorts, type PortChunk } from '../model/definition-object.ts'
import { updateDisplay, updateLayout, updateStatus } from '../model/layout.ts'
import { updatePort } from '../model/port-items.ts'
import { findChosenValues, updateState } from '../states/index.ts'
import { rearrangePorts } from './port-chunks.ts'
import { updateValues, type ValueOutcome } from './values/update-values.ts'
import { describeNode, type WriteContext } from './write-context.ts'
import type { WriteWarningKind } from './written-definition.ts'

/**
 * Writes the differences between a node and its object, except wires, which depend on the ports of other nodes.
 * Returns the earlier ids of ports that were given another id, by their present ids.
 */
export function updateNode(
  object: DefinitionObject,
  before: Node,
  after: Node,
  context: WriteContext,
): ReadonlyMap<string, string> {
  updateNames(object, before, after)
  updateStatus(object, before.status, after.status)
  updateDisplay(object, before.display, after.display)
  updateLayout(object, before, after)
  const renamed = updatePorts(object, before, after)
  updatePrincipal(object, before, after)
  const { inputs, outputs } = object.ports
  const hasChosenValues = findChosenValues(object) !== undefined
  for (const port of new Map([...inputs, ...outputs].map((each) => [each.id, each])).values()) {
    const earlierId = renamed.get(port.id) ?? port.id
    const [portBefore, portAfter] = [before.ports[earlierId], after.ports[port.id]]
    if (portBefore && portAfter) updatePort(port.chunk, portBefore, portAfter)
    if (!portAfter || (hasChosenValues && port.chunk === object.container)) continue
    updatePortValues({ ...port, typeName: portAfter.typeName }, before.values[earlierId], after, context)
  }
  updateState(object, before, after)
  return renamed
}

/** Writes the literal values of a port. Of the values with one outcome, the first gets the warning. */
function updatePortValues(
  port: { id: string; chunk: Chunk; typeName: string },
  before: DataTree | undefined,
  node: Node,
  { warn, findOpaqueItem }: WriteContext,
): void {
  const reported = new Set<ValueOutcome>()
  updateValues(port, before, node.values[port.id], {
    findOpaqueItem,
    report: (outcome, { type }) => {
      if (reported.has(outcome)) return
      reported.add(outcome)
      const { kind, what } = OUTCOMES[outcome]
      const portName = node.ports[port.id]?.name ?? ''
      const message = `A value of type ${type} typed into ${describeNode(node)}, port ${portName}, ${what}.`
      warn({ kind, nodeInstanceId: node.instanceId, portInstanceId: port.id, message })
    },
  })
}

const OUTCOMES: Readonly<Record<ValueOutcome, { kind: WriteWarningKind; what: string }>> = {
  left_out: { kind: 'value_left_out', what: 'cannot be held there and is null in the file' },
  converted: { kind: 'value_converted', what: 'is written as another type' },
  uncertain: { kind: 'value_uncertain', what: 'is of a kind that Grasshopper may not take there' },
}

function updateNames({ chunk, container }: DefinitionObject, before: Node, after: Node): void {
  if (after.name !== before.name) {
    const name = toText(after.name)
    // Clusters, scripts and user objects are listed under the name given by their author.
    if (findItem(chunk, 'Name', 'string') === findItem(container, 'Name', 'string')) {
      setItem(chunk, 'string', 'Name', name)
    }
    setItem(container, 'string', 'Name', name)
  }
  if (after.nickName !== before.nickName) setItem(container, 'string', 'NickName', toText(after.nickName))
}

/** The index of the principal input, which the component holds. */
function updatePrincipal({ container }: DefinitionObject, before: Node, after: Node): void {
  const index = findPrincipal(after)
  if (index === findPrincipal(before)) return
  if (index === undefined) removeItem(container, 'PrincipalIndex')
  else setItem(container, 'int32', 'PrincipalIndex', index)
}

function findPrincipal({ inputs, ports }: Node): number | undefined {
  const id = Object.keys(inputs).find((input) => ports[input]?.options?.includes('principal'))
  return id === undefined ? undefined : inputs[id]
}

/**
 * Gives an object the ports of its node, as far as its class allows. Variable ports are added, removed, moved and given
 * another type; fixed ports stay in the order of their library, and can only be given other ids.
 * Returns the earlier ids of ports that were given another id, by their present ids.
 */
function updatePorts(object: DefinitionObject, before: Node, after: Node): ReadonlyMap<string, string> {
  const { ports, container, classId } = object
  const variable = findChunk(container, 'ParameterData')
  if (variable && !CLUSTERS.includes(classId)) {
    if (!sameSides(before, after) || !sameTypes(before, after)) {
      rearrangePorts(variable, before, after)
      object.ports = listPorts(object)
    }
    return new Map()
  }
  const renamed = (['inputs', 'outputs'] as const).flatMap((side) =>
    canRename(ports[side], Object.keys(after[side]), object) ? renamePorts(ports[side], after[side]) : [],
  )
  return new Map(renamed)
}

const CLUSTERS: readonly string[] = [CLASS.cluster, CLASS.oldCluster]

function sameSides(a: Node, b: Node): boolean {
  return (
    sameJson(Object.keys(a.inputs), Object.keys(b.inputs)) &&
    sameJson(Object.keys(a.outputs), Object.keys(b.outputs))
  )
}

function sameTypes(a: Node, b: Node): boolean {
  return Object.entries(b.ports).every(([id, { typeName }]) => a.ports[id]?.typeName === typeName)
}

/** Whether the ports match by index: as many, and none that was only moved. A parameter has the id of its object. */
function canRename(
  ports: readonly PortChunk[],
  ids: readonly string[],
  { container }: DefinitionObject,
): boolean {
  const known = ports.map(({ id }) => id)
  return (
    ports.length === ids.length &&
    ports.every(({ chunk }) => chunk !== container) &&
    ids.every((id, i) => known[i] === id || !known.includes(id))
  )
}

function renamePorts(ports: readonly PortChunk[], orders: Node['inputs']): [string, string][] {
  return Object.keys(orders).flatMap((id, i): [string, string][] => {
    const port = ports[i]
    if (!port || port.id === id) return []
    const earlier = port.id
    setItem(port.chunk, 'guid', 'InstanceGuid', id)
    port.id = id
    return [[id, earlier]]
  })
}
