import type { GraphContent } from '@meadow/contract'
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { type Direction, findFirstNode, findNeighbour } from '../layout/find-nodes.ts'

/**
 * A roving tab stop: one node is in the tab order, the one that was focused last, or the first one. Ctrl and an arrow key
 * move the focus to its neighbour, even if it is not rendered yet.
 */
export interface RovingFocus {
  /** The node in the tab order. Undefined in an empty document. */
  nodeId: string | undefined
  /** Focuses a node as soon as it is rendered. */
  go: (nodeId: string) => void
  /** Event handlers of the element around all nodes. */
  handlers: {
    onFocus: (event: FocusEvent) => void
    onKeyDownCapture: (event: KeyboardEvent) => void
  }
}

const MAX_WAIT_FRAMES = 60

const DIRECTIONS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

export function useRovingFocus({ nodes }: GraphContent): RovingFocus {
  const [lastId, setLastId] = useState<string>()
  const [requested, setRequested] = useState<{ nodeId: string; within: ParentNode }>()
  const first = useMemo(() => findFirstNode(nodes)?.instanceId, [nodes])
  useEffect(() => {
    if (!requested) return undefined
    // React Flow renders the node some frames later.
    let [frame, framesLeft] = [0, MAX_WAIT_FRAMES]
    const tryFocus = () => {
      const element = requested.within.querySelector<HTMLElement>(nodeElement(requested.nodeId))
      if (element) element.focus()
      else if (framesLeft-- > 0) frame = requestAnimationFrame(tryFocus)
    }
    tryFocus()
    return () => cancelAnimationFrame(frame)
  }, [requested])
  const go = useCallback((nodeId: string, within: ParentNode = document) => {
    setLastId(nodeId)
    setRequested({ nodeId, within })
  }, [])
  return {
    nodeId: lastId !== undefined && nodes[lastId] ? lastId : first,
    go,
    handlers: {
      onFocus: ({ target }) => {
        const nodeId = target instanceof Element && target.closest<HTMLElement>(ANY_NODE)?.dataset.id
        if (nodeId) setLastId(nodeId)
      },
      onKeyDownCapture: (event) => {
        const { key, ctrlKey, metaKey, target, currentTarget } = event
        const direction = DIRECTIONS[key]
        if (!direction || !(ctrlKey || metaKey)) return
        const from = target instanceof HTMLElement && target.matches(ANY_NODE) && nodes[target.dataset.id!]
        if (!from) return
        event.preventDefault()
        event.stopPropagation()
        const next = findNeighbour(nodes, from, direction)
        // A page may have several canvases.
        if (next) go(next.instanceId, currentTarget as Element)
      },
    },
  }
}

const ANY_NODE = '.react-flow__node'
const nodeElement = (nodeId: string) => `${ANY_NODE}[data-id="${CSS.escape(nodeId)}"]`
