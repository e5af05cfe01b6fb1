import { createRecord, type GraphContent, type Node, type Port } from '@meadow/document'

/** A parameter and its port have one name and one nickname in a file; the port's count where only they were changed. */
export function settleNames(content: GraphContent, original: GraphContent | undefined): GraphContent {
  const nodes = Object.entries(content.nodes).map(([id, node]): [string, Node] => [
    id,
    isParameter(node) ? settle(node, original?.nodes[id]) : node,
  ])
  return { ...content, nodes: createRecord(nodes) }
}

function settle(node: Node, original: Node | undefined): Node {
  const { instanceId: id } = node
  const port = node.ports[id] as Port
  const pick = (key: 'name' | 'nickName') => (original && node[key] === original[key] ? port[key] : node[key])
  const names = { name: pick('name'), nickName: pick('nickName') }
  return {
    ...node,
    ...names,
    ports: createRecord([...Object.entries(node.ports), [id, { ...port, ...names }]]),
  }
}

/** Whether the object is one parameter, its port under its own id. */
export function isParameter({ ports, instanceId }: Node): boolean {
  return Object.hasOwn(ports, instanceId)
}
