import type { GraphContent, Node } from '@meadow/contract'
import { type NodeChange, useStoreApi } from '@xyflow/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Drag, keepThere, type Positions, positionsOf, readDrag } from '../layout/drag.ts'
import { type FlowNode, mergeFlowNodes } from '../layout/flow-nodes.ts'
import { moveBy, rectangleOf, touches } from '../layout/rectangle.ts'
import type { RenderedView } from './viewport.ts'

interface FlowNodesInput {
  content: GraphContent
  isReadOnly: boolean
  /** Whether a finger is used, which drags only selected nodes: elsewhere, it moves the canvas. */
  isTouch: boolean
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Called after nodes were dragged to another position. */
  onDropped: (drag: Drag) => void
  /** Called with the positions of nodes while they are dragged, and with undefined when they are dropped. */
  onDragged: (positions: Positions | undefined) => void
  /** The node in the tab order: it is always rendered. */
  tabbableId: string | undefined
  /** The node that a wire is being dragged from: it is always rendered. */
  wiredId: string | undefined
}

/**
 * The nodes that React Flow renders as elements, and their drags and selection. When nodes are painted (`isPainted`),
 * only the hovered node, the tabbable one and the one being wired are elements.
 */
export function useFlowNodes(
  {
    content,
    isReadOnly,
    isTouch,
    selectedIds,
    onSelect,
    onDropped,
    onDragged,
    tabbableId,
    wiredId,
  }: FlowNodesInput,
  view: RenderedView | undefined,
  isPainted: boolean,
) {
  const store = useStoreApi()
  const [drag, setDrag] = useState<Drag>()
  const [hoveredId, setHoveredId] = useState<string>()
  const last = useRef<FlowNode[]>([])
  const visible = useMemo(() => {
    if (!view) return []
    const { nodes } = content
    const kept = new Set([hoveredId, tabbableId, wiredId])
    if (isPainted) return [...kept].flatMap((id) => nodes[id ?? ''] ?? [])
    // A dragged node is in the rendered area when its position before the drag is in this one.
    const areaBefore = drag ? moveBy(view.area, -drag.x, -drag.y) : view.area
    return Object.values(nodes).filter(
      (node) =>
        kept.has(node.instanceId) ||
        touches(rectangleOf(node), drag?.ids.has(node.instanceId) ? areaBefore : view.area),
    )
  }, [content, view, isPainted, hoveredId, tabbableId, wiredId, drag])
  const shown = useGradual(visible)
  const nodes = useMemo(() => {
    last.current = mergeFlowNodes(last.current, shown, { isReadOnly, isTouch, selectedIds, tabbableId, drag })
    return last.current
  }, [shown, isReadOnly, isTouch, selectedIds, tabbableId, drag])

  // A drag that began before the last change of the document is applied to the document as it is now.
  const latest = useRef({ content, onDropped, onDragged })
  latest.current = { content, onDropped, onDragged }
  const move = useCallback((moved: Drag) => {
    const { content, onDragged } = latest.current
    const next = keepThere(moved, content.nodes)
    // The set keeps its identity, so that nodes that do not move are not painted again.
    setDrag((last) => (last && isSame(last.ids, next.ids) ? { ...next, ids: last.ids } : next))
    onDragged(positionsOf(next, content))
  }, [])
  const end = useCallback(() => {
    setDrag(undefined)
    latest.current.onDragged(undefined)
  }, [])
  const drop = useCallback(
    (last: Drag) => {
      end()
      if (last.x !== 0 || last.y !== 0) latest.current.onDropped(last)
    },
    [end],
  )
  // When somebody deletes a dragged node, React Flow does not always report the end of its drag.
  useEffect(() => {
    if (drag && keepThere(drag, content.nodes) !== drag) end()
  }, [drag, content, end])
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const moves = changes.filter((change) => change.type === 'position')
      const moved = readDrag(moves, content.nodes, selectedIds)
      if (moved) (moved.isDropped ? drop : move)(moved.drag)
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

/** The number of new elements in one frame. */
const BATCH = 24

/** Returns the nodes, to which new ones are added in batches, one per frame: all at once would take too long. */
function useGradual(nodes: readonly Node[]): readonly Node[] {
  const known = useRef<ReadonlySet<string>>(new Set())
  const [step, setStep] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step adds a batch.
  const shown = useMemo(() => {
    let room = BATCH
    const some = nodes.filter(({ instanceId }) => known.current.has(instanceId) || room-- > 0)
    known.current = new Set(some.map(({ instanceId }) => instanceId))
    return some
  }, [nodes, step])
  const isComplete = shown.length === nodes.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (isComplete) return undefined
    const frame = requestAnimationFrame(() => setStep((last) => last + 1))
    return () => cancelAnimationFrame(frame)
  }, [isComplete, nodes, step])
  return shown
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a === b || (a.size === b.size && a.isSubsetOf(b))
