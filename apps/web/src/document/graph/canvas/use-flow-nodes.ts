import type { GraphContent, Node } from '@meadow/contract'
import { type NodeChange, useStoreApi } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { type Drag, type FlowNode, mergeFlowNodes } from '../layout/flow-nodes.ts'
import { boxOf } from '../layout/node-box.ts'
import { rectangleOf, touches } from '../layout/rectangle.ts'
import type { RenderedView } from './viewport.ts'

export type Positions = Record<string, Node['position']>

interface FlowNodesInput {
  content: GraphContent
  isReadOnly: boolean
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Nodes were dropped somewhere else. */
  onDropped: (drag: Drag) => void
  /** Where nodes are while they are dragged; undefined when they are dropped. */
  onDragged: (positions: Positions | undefined) => void
  /** The node that can be tabbed to: it is there wherever it lies. */
  tabbableId: string | undefined
}

/**
 * The nodes of the canvas that are elements of the page, and what is done to them. Of many that are far away those are
 * the one under the pointer and the one that can be tabbed to: the others are painted.
 */
export function useFlowNodes(
  { content, isReadOnly, selectedIds, onSelect, onDropped, onDragged, tabbableId }: FlowNodesInput,
  cover: RenderedView | undefined,
  isPainted: boolean,
) {
  const store = useStoreApi()
  const [drag, setDrag] = useState<Drag>()
  const [hand, setHand] = useState<string>()
  const last = useRef<FlowNode[]>([])
  const shown = useMemo(() => {
    if (!cover) return []
    const { nodes } = content
    if (isPainted) return [...new Set([hand, tabbableId])].flatMap((id) => nodes[id ?? ''] ?? [])
    const { left, top, right, bottom } = cover.area
    const [x, y] = [drag?.x ?? 0, drag?.y ?? 0]
    const behind = { left: left - x, top: top - y, right: right - x, bottom: bottom - y }
    return Object.values(nodes).filter(
      (node) =>
        node.instanceId === tabbableId ||
        touches(rectangleOf(node), drag?.ids.has(node.instanceId) ? behind : cover.area),
    )
  }, [content, cover, isPainted, hand, tabbableId, drag])
  const nodes = useMemo(() => {
    last.current = mergeFlowNodes(last.current, shown, { isReadOnly, selectedIds, tabbableId, drag })
    return last.current
  }, [shown, isReadOnly, selectedIds, tabbableId, drag])

  const move = useCallback(
    (next: Drag) => {
      // The same nodes stay the same set, so that what does not move is not painted again.
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
        const at = moved.position
        const next = { ids, x: (at?.x ?? box.x) - box.x, y: (at?.y ?? box.y) - box.y }
        if (moved.dragging) move(next)
        else drop(next)
      }
      const chosen = changes.filter((change) => change.type === 'select')
      const { multiSelectionActive, userSelectionActive } = store.getState()
      // What a box selects is known better than the canvas knows, which has but some of the nodes.
      if (chosen.length > 0 && !userSelectionActive) {
        const isAlone = !multiSelectionActive && chosen.some(({ selected }) => selected)
        const next = new Set(isAlone ? [] : selectedIds)
        for (const { id, selected } of chosen) selected ? next.add(id) : next.delete(id)
        onSelect(next)
      }
    },
    [store, content, selectedIds, onSelect, move, drop],
  )
  return { nodes, onNodesChange, drag, move, drop, setHand }
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a === b || (a.size === b.size && a.isSubsetOf(b))

/** By their own positions: the canvas counts from a node's corner, the document mostly from its middle. */
export function positionsOf({ ids, x, y }: Drag, { nodes }: GraphContent): Positions {
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const position = nodes[id]?.position
      return position ? [[id, { x: position.x + x, y: position.y + y }] as const] : []
    }),
  )
}
