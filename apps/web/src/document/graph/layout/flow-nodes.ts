import type { GraphContent, Node } from '@meadow/contract'
import { type Node as FlowNodeOf, Position } from '@xyflow/react'
import { boxOf, type NodeShape } from './node-box.ts'

/** A node as the canvas takes it. */
export type FlowNode = FlowNodeOf<{ node: Node }, NodeShape>

/** Nodes that are being dragged, and how far they are from where the document has them, in canvas units. */
export interface Drag {
  ids: ReadonlySet<string>
  x: number
  y: number
}

/** All but one take the focus, but not of the tabulator. */
const TABBABLE = { tabIndex: 0 }
const REACHABLE = { tabIndex: -1 }

/** The size of the spot that takes wires. */
const GRIP = 12

function toFlowNode(node: Node, isReadOnly: boolean): FlowNode {
  const { shape, x, y, width, height, inputs, outputs } = boxOf(node)
  const grip = (place: { id: string; x: number; y: number }, isInput: boolean) => ({
    id: place.id,
    type: isInput ? ('target' as const) : ('source' as const),
    position: isInput ? Position.Left : Position.Right,
    x: place.x - GRIP / 2,
    y: place.y - GRIP / 2,
    width: GRIP,
    height: GRIP,
  })
  return {
    id: node.instanceId,
    type: shape,
    position: { x, y },
    width,
    height,
    data: { node },
    draggable: !isReadOnly,
    connectable: !isReadOnly,
    // Known without being measured.
    handles: [...inputs.map((place) => grip(place, true)), ...outputs.map((place) => grip(place, false))],
    ariaLabel: `${node.name}${node.nickName && node.nickName !== node.name ? `, ${node.nickName}` : ''}`,
  }
}

/** What is to be on the canvas now. What did not change stays the same object. */
export function mergeFlowNodes(
  shown: readonly FlowNode[],
  nodes: readonly Node[],
  how: {
    isReadOnly: boolean
    selectedIds: ReadonlySet<string>
    tabbableId: string | undefined
    drag: Drag | undefined
  },
): FlowNode[] {
  const known = new Map(shown.map((node) => [node.id, node]))
  return nodes.map((node) => {
    const old = known.get(node.instanceId)
    const isSame = old?.data.node === node && old.draggable === !how.isReadOnly
    const base = isSame ? old : toFlowNode(node, how.isReadOnly)
    const box = boxOf(node)
    const drag = how.drag?.ids.has(node.instanceId) ? how.drag : undefined
    const [x, y] = [box.x + (drag?.x ?? 0), box.y + (drag?.y ?? 0)]
    const selected = how.selectedIds.has(node.instanceId)
    const domAttributes = node.instanceId === how.tabbableId ? TABBABLE : REACHABLE
    const isDone =
      base.position.x === x &&
      base.position.y === y &&
      (base.selected ?? false) === selected &&
      (base.dragging ?? false) === Boolean(drag) &&
      base.domAttributes === domAttributes
    return isDone ? base : { ...base, position: { x, y }, selected, dragging: Boolean(drag), domAttributes }
  })
}

/** Whether a wire between these nodes would close a circle, along which nothing could be computed. */
export function wouldCloseCycle(nodes: GraphContent['nodes'], fromId: string, toId: string): boolean {
  const seen = new Set<string>()
  const waiting = [fromId]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === toId) return true
    if (seen.has(id)) continue
    seen.add(id)
    const node = nodes[id]
    if (node)
      for (const sources of Object.values(node.sources))
        for (const { nodeInstanceId } of sources) waiting.push(nodeInstanceId)
  }
  return false
}
