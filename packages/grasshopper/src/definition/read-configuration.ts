import type { GraphContent, Group, Node, NodeState, PortReference } from '@meadow/document'
import { CLASS } from './objects/class-ids.ts'

const CONTEXT_OUTPUTS: readonly string[] = [CLASS.contextBake, CLASS.contextPrint]

/**
 * The ports that a caller fills in and reads, as Hops and Rhino Compute find them.
 * Inputs: the one parameter in a group labelled `RH_IN:…`, and Get Number and its like.
 * Outputs: the one parameter, else all outputs of the one component, in a group labelled `RH_OUT:…`, and what goes
 * into Context Bake and Context Print.
 */
export function readConfiguration(
  nodes: Record<string, Node>,
  groups: Group[],
): GraphContent['configuration'] {
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
    if (CONTEXT_OUTPUTS.includes(node.templateId)) pinAll(outputs, listPorts(node, node.inputs))
  }
  return { inputs: [...inputs.values()], outputs: [...outputs.values()] }
}

/** Scribbles and components beside it do not count; of two parameters nobody knows which is meant. */
function listOnlyParameter({ nodeInstanceIds }: Group, nodes: Record<string, Node>): PortReference[] {
  const parameters = nodeInstanceIds.flatMap((id) => {
    const node = nodes[id]
    return node && isParameter(node) ? [toParameterPort(node)] : []
  })
  return parameters.length === 1 ? parameters : []
}

function listOutputsOfOnlyNode({ nodeInstanceIds }: Group, nodes: Record<string, Node>): PortReference[] {
  const [id = '', ...others] = nodeInstanceIds
  const node = nodes[id]
  return node && others.length === 0 ? listPorts(node, node.outputs) : []
}

function listPorts({ instanceId }: Node, side: Node['inputs']): PortReference[] {
  return Object.keys(side).map((portInstanceId) => ({ nodeInstanceId: instanceId, portInstanceId }))
}

/** The one port of a parameter object has its id. */
function isParameter(node: Node): boolean {
  return Object.hasOwn(node.ports, node.instanceId)
}

function isContextual(node: Node): boolean {
  return isParameter(node) && (node.state as NodeState | undefined)?.kind === 'contextual'
}

function toParameterPort({ instanceId }: Node): PortReference {
  return { nodeInstanceId: instanceId, portInstanceId: instanceId }
}
