import type { DataValue, Node } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'

/** The first literal value of a parameter. */
export function findOwnValue(node: Node): DataValue | undefined {
  return node.values[node.instanceId]?.branches[0]?.values[0] ?? undefined
}

/** The outputs of a node that have values, in the order of the node. */
export function listValuePorts(
  { instanceId, outputs }: Node,
  solution: EditorSolution | undefined,
): string[] {
  const { ports = {} } = solution?.nodes[instanceId] ?? {}
  const order = Object.keys(outputs)
  return Object.keys(ports)
    .filter((portId) => ports[portId]!.values > 0)
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
}
