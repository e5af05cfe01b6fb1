import type { GraphContent } from '@meadow/contract'
import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { rectangleOf, touches } from '../layout/rectangle.ts'

/** Selects what a box touches that is drawn on the canvas, also nodes that are no elements of the page. */
export function useBoxSelection(
  { nodes }: GraphContent,
  selectedIds: ReadonlySet<string>,
  onSelect: (ids: ReadonlySet<string>) => void,
): void {
  const store = useStoreApi()
  const now = useRef({ nodes, selectedIds, onSelect })
  now.current = { nodes, selectedIds, onSelect }
  useEffect(() => {
    const { userSelectionRect: initial } = store.getState()
    let before: ReadonlySet<string> | undefined
    let box: typeof initial = null
    let frame = 0
    const select = () => {
      cancelAnimationFrame(frame)
      frame = 0
      const { transform, multiSelectionActive } = store.getState()
      if (!box || (box.width === 0 && box.height === 0)) return
      const [x, y, zoom] = transform
      const [left, top] = [(box.x - x) / zoom, (box.y - y) / zoom]
      const area = { left, top, right: left + box.width / zoom, bottom: top + box.height / zoom }
      const found = Object.values(now.current.nodes).filter((node) => touches(rectangleOf(node), area))
      const kept = multiSelectionActive ? (before ?? []) : []
      const next = new Set([...kept, ...found.map(({ instanceId }) => instanceId)])
      const shown = now.current.selectedIds
      if (next.size !== shown.size || !next.isSubsetOf(shown)) now.current.onSelect(next)
    }
    const end = store.subscribe((state, last) => {
      if (state.userSelectionRect === last.userSelectionRect) return
      if (state.userSelectionRect) {
        before ??= now.current.selectedIds
        box = state.userSelectionRect
        frame ||= requestAnimationFrame(select)
      } else {
        // The pointer was let go: what it did last counts too.
        select()
        before = undefined
        box = null
      }
    })
    return () => {
      cancelAnimationFrame(frame)
      end()
    }
  }, [store])
}
