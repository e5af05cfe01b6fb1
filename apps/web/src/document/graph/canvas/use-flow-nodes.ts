import type { GraphContent } from '@meadow/contract'
import { type NodeChange, useStoreApi } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { type Drag, type Positions, positionsOf } from '../layout/drag.ts'
import { type FlowNode, mergeFlowNodes } from '../layout/flow-nodes.ts'
import { boxOf } from '../layout/node-box.ts'
import { moveBy, rectangleOf, touches } from '../layout/rectangle.ts'
import type { RenderedView } from './viewport.ts'

interface FlowNodesInput {
  content: GraphContent
  isReadOnly: boolean
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Called after nodes were dragged to another position. */
  onDropped: (drag: Drag) => void
  /** Called with the positions of nodes while they are dragged, and with undefined when they are dropped. */
  onDragged: (positions: Positions | undefined) => void
  /** The node in the tab order: it is always rendered. */
  tabbableId: string | undefined
}

/**
 * The nodes that React Flow renders as elements, and their drags and selection. When nodes are painted (`isPainted`),
 * only the hovered and the tabbable node are elements.
 */
export function useFlowNodes(
  { content, isReadOnly, selectedIds, onSelect, onDropped, onDragged, tabbableId }: FlowNodesInput,
  view: RenderedView | undefined,
  isPainted: boolean,
) {
  const store = useStoreApi()
  const [drag, setDrag] = useState<Drag>()
  const [hoveredId, setHoveredId] = useState<string>()
  const last = useRef<FlowNode[]>([])
  const shown = useMemo(() => {
    if (!view) return []
    const { nodes } = content
    if (isPainted) return [...new Set([hoveredId, tabbableId])].flatMap((id) => nodes[id ?? ''] ?? [])
    // A dragged node is in the rendered area when its position before the drag is in this one.
    const areaBefore = drag ? moveBy(view.area, -drag.x, -drag.y) : view.area
    return Object.values(nodes).filter(
      (node) =>
        node.instanceId === tabbableId ||
        touches(rectangleOf(node), drag?.ids.has(node.instanceId) ? areaBefore : view.area),
    )
  }, [content, view, isPainted, hoveredId, tabbableId, drag])
  const nodes = useMemo(() => {
    last.current = mergeFlowNodes(last.current, shown, { isReadOnly, selectedIds, tabbableId, drag })
    return last.current
  }, [shown, isReadOnly, selectedIds, tabbableId, drag])

  const move = useCallback(
    (next: Drag) => {
      // The set keeps its identity, so that nodes that do not move are not painted again.
      setDrag((last) => (last && isSame(last.ids, next.ids) ? { ...next, ids: last.ids } : next))
      onDragged(positionsOf(next, content))
    },
    [content, onDragged],
  )
  const drop = useCallback(
    (last: Drag) => {
      setDrag(undefined)
      onDragged(undefined)
      if (last.x !== 0 || last.y !== 0) onDropped(last)
    },
    [onDragged, onDropped],
  )
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const moved = changes.find((change) => change.type === 'position')
      const node = moved && content.nodes[moved.id]
      if (moved && node) {
        const box = boxOf(node)
        const ids = selectedIds.has(moved.id) ? selectedIds : new Set([moved.id])
        const { x, y } = moved.position ?? box
        const next = { ids, x: x - box.x, y: y - box.y }
        if (moved.dragging) move(next)
        else drop(next)
      }
      const selects = changes.filter((change) => change.type === 'select')
      const { multiSelectionActive, userSelectionActive } = store.getState()
      // During a box selection React Flow reports the rendered nodes only; useBoxSelection handles all of them.
      if (selects.length > 0 && !userSelectionActive) {
        const replaces = !multiSelectionActive && selects.some(({ selected }) => selected)
        const next = new Set(replaces ? [] : selectedIds)
        for (const { id, selected } of selects) selected ? next.add(id) : next.delete(id)
        onSelect(next)
      }
    },
    [store, content, selectedIds, onSelect, move, drop],
  )
  return { nodes, onNodesChange, drag, move, drop, setHoveredId }
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a === b || (a.size === b.size && a.isSubsetOf(b))
