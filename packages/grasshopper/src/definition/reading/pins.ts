import {
  type GraphContent,
  type Group,
  type Node,
  type NodeState,
  type PortReference,
  sameJson,
} from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { CLASS } from '../model/class-ids.ts'
import { readNote, writeNote } from '../model/own-notes.ts'

/*
 * Grasshopper has no pinned ports: they follow from groups and from inputs for callers (`readConfiguration`). Where a
 * document differs from that, the file has notes: the pinned ports in order, and ports that follow but are not pinned.
 */

type Configuration = GraphContent['configuration']

const CONTEXT_OUTPUTS: readonly string[] = [CLASS.contextBake, CLASS.contextPrint]

/**
 * The ports that a caller sets and reads, by the rules of Hops and Rhino Compute.
 * Inputs: the only parameter in a group labelled `RH_IN:…`, and Get Number and similar inputs.
 * Outputs: the only parameter, otherwise all outputs of the only component, in a group labelled `RH_OUT:…`, and the
 * inputs of Context Bake and Context Print.
 */
export function readConfiguration(nodes: Record<string, Node>, groups: Group[]): Configuration {
  const inputs = new Map<string, PortReference>()
  const outputs = new Map<string, PortReference>()
  const pinAll = (pins: Map<string, PortReference>, ports: PortReference[]) => {
    for (const port of ports) pins.set(port.portInstanceId, port)
  }
  for (const group of groups) {
    if (group.label.startsWith('RH_IN:')) pinAll(inputs, listOnlyParameter(group, nodes))
    if (group.label.startsWith('RH_OUT:')) {
      const parameter = listOnlyParameter(group, nodes)
      pinAll(outputs, parameter.length > 0 ? parameter : listOutputsOfOnlyNode(group, nodes))
    }
  }
  for (const node of Object.values(nodes)) {
    if (isContextual(node)) pinAll(inputs, [toParameterPort(node)])
    if (CONTEXT_OUTPUTS.includes(node.templateId)) pinAll(outputs, toReferences(node, node.inputs))
  }
  return { inputs: [...inputs.values()], outputs: [...outputs.values()] }
}

/** Scribbles and components in the group do not count. With two parameters it is ambiguous which one is meant. */
function listOnlyParameter({ nodeInstanceIds }: Group, nodes: Record<string, Node>): PortReference[] {
  const parameters = nodeInstanceIds.flatMap((id) => {
    const node = nodes[id]
    return node && isParameterNode(node) ? [toParameterPort(node)] : []
  })
  return parameters.length === 1 ? parameters : []
}

function listOutputsOfOnlyNode({ nodeInstanceIds }: Group, nodes: Record<string, Node>): PortReference[] {
  const [id = '', ...others] = nodeInstanceIds
  const node = nodes[id]
  return node && others.length === 0 ? toReferences(node, node.outputs) : []
}

function toReferences({ instanceId }: Node, side: Node['inputs']): PortReference[] {
  return Object.keys(side).map((portInstanceId) => ({ nodeInstanceId: instanceId, portInstanceId }))
}

/** Whether the node is a parameter object: its only port has its own id. */
export function isParameterNode({ ports, instanceId }: Node): boolean {
  return Object.hasOwn(ports, instanceId)
}

function isContextual(node: Node): boolean {
  return isParameterNode(node) && (node.state as NodeState | undefined)?.kind === 'contextual'
}

function toParameterPort({ instanceId }: Node): PortReference {
  return { nodeInstanceId: instanceId, portInstanceId: instanceId }
}

const NOTES = {
  inputs: { pinned: 'Meadow.PinnedInputs', unpinned: 'Meadow.UnpinnedInputs' },
  outputs: { pinned: 'Meadow.PinnedOutputs', unpinned: 'Meadow.UnpinnedOutputs' },
} as const
const SIDES = ['inputs', 'outputs'] as const

/** The pinned ports: `derived` (from `readConfiguration`), corrected by the notes in the file. */
export function readPins(definition: Chunk, derived: Configuration): Configuration {
  return {
    inputs: readSide(definition, 'inputs', derived),
    outputs: readSide(definition, 'outputs', derived),
  }
}

function readSide(definition: Chunk, side: keyof Configuration, derived: Configuration): PortReference[] {
  const { pinned, unpinned } = NOTES[side]
  const [listed, others] = [pinned, unpinned].map((name) => readNote(definition, name).flatMap(parse))
  const known = new Set([...(listed ?? []), ...(others ?? [])].map(({ portInstanceId }) => portInstanceId))
  return [...(listed ?? []), ...derived[side].filter(({ portInstanceId }) => !known.has(portInstanceId))]
}

/** Notes where the pinned ports of the document differ from the derived ones. */
export function writePins(definition: Chunk, derived: Configuration, wanted: Configuration): void {
  for (const side of SIDES) {
    if (sameJson(readPins(definition, derived)[side], wanted[side])) continue
    const pinned = new Set(wanted[side].map(({ portInstanceId }) => portInstanceId))
    const unpinned = derived[side].filter(({ portInstanceId }) => !pinned.has(portInstanceId))
    const isDerived = sameJson(derived[side], wanted[side])
    writeNote(definition, NOTES[side].pinned, isDerived ? [] : wanted[side].map(format))
    writeNote(definition, NOTES[side].unpinned, isDerived ? [] : unpinned.map(format))
  }
}

const format = ({ nodeInstanceId, portInstanceId }: PortReference) => `${nodeInstanceId}/${portInstanceId}`

function parse(pair: string): PortReference[] {
  const [nodeInstanceId, portInstanceId, ...more] = pair.split('/')
  if (!nodeInstanceId || !portInstanceId || more.length > 0) return []
  return [{ nodeInstanceId, portInstanceId }]
}
