import { addNodes, connect, createNode, openLiveProjector } from '@meadow/document/live'
import { Doc } from 'yjs'
import { KINDS } from './kinds.ts'

/** A live document with a row of additions, each connected to the one before. */
export function createChain(length: number) {
  const doc = new Doc()
  const nodes = Array.from({ length }, (_, index) =>
    createNode(KINDS.addition, { position: { x: 200 * index, y: 0 } }),
  )
  addNodes(doc, nodes)
  for (const [index, node] of nodes.slice(1).entries()) {
    const source = nodes[index]!
    connect(doc, {
      from: { nodeInstanceId: source.instanceId, portInstanceId: Object.keys(source.outputs)[0]! },
      to: { nodeInstanceId: node.instanceId, portInstanceId: Object.keys(node.inputs)[0]! },
    })
  }
  return { doc, ids: nodes.map(({ instanceId }) => instanceId), reader: openLiveProjector(doc) }
}
