import type { Node } from '@meadow/contract'
import { type Node as FlowNodeOf, Position } from '@xyflow/react'
import type { Drag } from './drag.ts'
import { boxOf, type NodeShape } from './node-box.ts'

/** A node of a document as React Flow takes it. */
export type FlowNode = FlowNodeOf<{ node: Node }, NodeShape>

/** How the canvas shows nodes. */
export interface FlowOptions {
  isReadOnly: boolean
  /** Whether only selected nodes can be dragged, as by a finger. */
  isTouch: boolean
  selectedIds: ReadonlySet<string>
  /** The one node in the tab order; all others are focusable. */
  tabbableId: string | undefined
  drag: Drag | undefined
}

const TABBABLE = { tabIndex: 0 }
const FOCUSABLE = { tabIndex: -1 }

/**
 * The nodes to show now. A node that did not change keeps its object from `shown`, so that React Flow does not render it
 * again.
 */
export function mergeFlowNodes(
  shown: readonly FlowNode[],
  nodes: readonly Node[],
  { isReadOnly, isTouch, selectedIds, tabbableId, drag }: FlowOptions,
): FlowNode[] {
  const known = new Map(shown.map((node) => [node.id, node]))
  return nodes.map((node) => {
    const id = node.instanceId
    const last = known.get(id)
    const selected = selectedIds.has(id)
    const draggable = !isReadOnly && (!isTouch || selected)
    const isSame =
      last?.data.node === node && last.connectable === !isReadOnly && last.draggable === draggable
    const base = isSame ? last : { ...toFlowNode(node, isReadOnly), draggable }
    const box = boxOf(node)
    const dragging = drag?.ids.has(id) ?? false
    const [x, y] = dragging && drag ? [box.x + drag.x, box.y + drag.y] : [box.x, box.y]
    const domAttributes = id === tabbableId ? TABBABLE : FOCUSABLE
    const isUnchanged =
      base.position.x === x &&
      base.position.y === y &&
      (base.selected ?? false) === selected &&
      (base.dragging ?? false) === dragging &&
      base.domAttributes === domAttributes
    return isUnchanged ? base : { ...base, position: { x, y }, selected, dragging, domAttributes }
  })
}

/** The size of the handle at a port, from which wires are dragged. */
const HANDLE_SIZE = 12

function toFlowNode(node: Node, isReadOnly: boolean): FlowNode {
  const { shape, x, y, width, height, inputs, outputs } = boxOf(node)
  const toHandle = (port: { id: string; x: number; y: number }, isInput: boolean) => ({
    id: port.id,
    type: isInput ? ('target' as const) : ('source' as const),
    position: isInput ? Position.Left : Position.Right,
    x: port.x - HANDLE_SIZE / 2,
    y: port.y - HANDLE_SIZE / 2,
    width: HANDLE_SIZE,
    height: HANDLE_SIZE,
  })
  return {
    id: node.instanceId,
    type: shape,
    position: { x, y },
    width,
    height,
    data: { node },
    // Only the lines of a sketch take clicks: it may surround other nodes.
    ...(shape === 'sketch' && { style: { pointerEvents: 'none' as const } }),
    connectable: !isReadOnly,
    // With handles and size given, React Flow does not measure the node.
    handles: [...inputs.map((port) => toHandle(port, true)), ...outputs.map((port) => toHandle(port, false))],
    ariaLabel: `${node.name}${node.nickName && node.nickName !== node.name ? `, ${node.nickName}` : ''}`,
  }
}
