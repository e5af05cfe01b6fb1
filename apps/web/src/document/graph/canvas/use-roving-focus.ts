import type { GraphContent } from '@meadow/contract'
import { type FocusEvent, type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { type Direction, findFirstNode, findNeighbour } from '../layout/find-nodes.ts'

/**
 * One node at a time can be tabbed to, however many there are: the last one that had the focus, at first the first one.
 * From there the arrow keys with Ctrl lead to its neighbours, also to those that are out of sight or painted.
 */
export interface RovingFocus {
  /** The node that can be tabbed to. Undefined in an empty document. */
  nodeId: string | undefined
  /** Gives the focus to a node, as soon as it is an element of the page. */
  go: (nodeId: string) => void
  /** For the element around all nodes. */
  handlers: {
    onFocus: (event: FocusEvent) => void
    onKeyDownCapture: (event: KeyboardEvent) => void
  }
}

const PATIENCE_FRAMES = 60

const DIRECTIONS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

export function useRovingFocus({ nodes }: GraphContent): RovingFocus {
  const [lastId, setLastId] = useState<string>()
  const [wanted, setWanted] = useState<{ nodeId: string }>()
  const first = useMemo(() => findFirstNode(nodes)?.instanceId, [nodes])
  useEffect(() => {
    if (!wanted) return undefined
    // The canvas makes an element of it a little later than it hears of it.
    let [frame, left] = [0, PATIENCE_FRAMES]
    const tryIt = () => {
      const element = document.querySelector<HTMLElement>(nodeElement(wanted.nodeId))
      if (element) element.focus()
      else if (left-- > 0) frame = requestAnimationFrame(tryIt)
    }
    tryIt()
    return () => cancelAnimationFrame(frame)
  }, [wanted])
  const go = (nodeId: string) => {
    setLastId(nodeId)
    setWanted({ nodeId })
  }
  return {
    nodeId: lastId !== undefined && nodes[lastId] ? lastId : first,
    go,
    handlers: {
      onFocus: ({ target }) => {
        const nodeId = target instanceof Element && target.closest<HTMLElement>(ANY_NODE)?.dataset.id
        if (nodeId) setLastId(nodeId)
      },
      onKeyDownCapture: (event) => {
        const { key, ctrlKey, metaKey, target } = event
        const direction = DIRECTIONS[key]
        if (!direction || !(ctrlKey || metaKey)) return
        const from = target instanceof HTMLElement && target.matches(ANY_NODE) && nodes[target.dataset.id!]
        if (!from) return
        event.preventDefault()
        event.stopPropagation()
        const next = findNeighbour(nodes, from, direction)
        if (next) go(next.instanceId)
      },
    },
  }
}

const ANY_NODE = '.react-flow__node'
const nodeElement = (nodeId: string) => `${ANY_NODE}[data-id="${CSS.escape(nodeId)}"]`
