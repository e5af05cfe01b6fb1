import type { GraphContent } from '@meadow/contract'
import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { contains, rectangleOf, touches } from '../layout/rectangle.ts'

/**
 * Selects nodes with the selection box, also those that React Flow does not render. As in Grasshopper, a box drawn to the
 * right selects what it contains, one drawn to the left what it touches; Shift adds to the selection, Ctrl removes.
 */
export function useBoxSelection(
  { nodes }: GraphContent,
  selectedIds: ReadonlySet<string>,
  onSelect: (ids: ReadonlySet<string>) => void,
): void {
  const store = useStoreApi()
  const latest = useRef({ nodes, selectedIds, onSelect })
  latest.current = { nodes, selectedIds, onSelect }
  useEffect(() => {
    const { userSelectionRect: initial } = store.getState()
    let before: ReadonlySet<string> | undefined
    let box: typeof initial = null
    let frame = 0
    let isRemoving = false
    const select = () => {
      cancelAnimationFrame(frame)
      frame = 0
      const { transform, multiSelectionActive } = store.getState()
      if (!box || (box.width === 0 && box.height === 0)) return
      const [x, y, zoom] = transform
      const isCrossing = isDrawnToTheLeft(box, transform)
      const [left, top] = [(box.x - x) / zoom, (box.y - y) / zoom]
      const area = { left, top, right: left + box.width / zoom, bottom: top + box.height / zoom }
      const found = Object.values(latest.current.nodes).flatMap((node) => {
        const rectangle = rectangleOf(node)
        const isFound = isCrossing ? touches(rectangle, area) : contains(area, rectangle)
        return isFound ? [node.instanceId] : []
      })
      const others: ReadonlySet<string> =
        (isRemoving || multiSelectionActive ? before : undefined) ?? new Set()
      const next = isRemoving ? others.difference(new Set(found)) : others.union(new Set(found))
      const shown = latest.current.selectedIds
      if (next.size !== shown.size || !next.isSubsetOf(shown)) latest.current.onSelect(next)
    }
    const unsubscribe = store.subscribe((state, last) => {
      if (state.userSelectionRect === last.userSelectionRect) return
      if (state.userSelectionRect) {
        before ??= latest.current.selectedIds
        box = state.userSelectionRect
        state.domNode?.toggleAttribute('data-crossing', isDrawnToTheLeft(box, state.transform))
        frame ||= requestAnimationFrame(select)
      } else {
        // The pointer was released, perhaps before the last frame.
        select()
        before = undefined
        box = null
      }
    })
    const readKey = ({ ctrlKey, metaKey }: PointerEvent) => {
      isRemoving = ctrlKey || metaKey
    }
    addEventListener('pointermove', readKey, { capture: true })
    return () => {
      removeEventListener('pointermove', readKey, { capture: true })
      cancelAnimationFrame(frame)
      unsubscribe()
    }
  }, [store])
}

/** `startX` is in canvas units, `x` in CSS pixels. */
const isDrawnToTheLeft = (
  { x, startX }: { x: number; startX: number },
  [left, , zoom]: readonly [number, number, number],
): boolean => x < startX * zoom + left - 0.5
