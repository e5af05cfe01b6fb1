import type { DataValue, Node } from '@meadow/contract'

/** The first value that was typed into a parameter object. */
export function findOwnValue(node: Node): DataValue | undefined {
  return node.values[node.instanceId]?.branches[0]?.values[0] ?? undefined
}
