import type { GraphContent } from '@meadow/contract'
import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { rectangleOf, touches } from '../layout/rectangle.ts'

/** Selects the nodes that the selection box touches, also those that React Flow does not render. */
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
    const select = () => {
      cancelAnimationFrame(frame)
      frame = 0
      const { transform, multiSelectionActive } = store.getState()
      if (!box || (box.width === 0 && box.height === 0)) return
      const [x, y, zoom] = transform
      const [left, top] = [(box.x - x) / zoom, (box.y - y) / zoom]
      const area = { left, top, right: left + box.width / zoom, bottom: top + box.height / zoom }
      const found = Object.values(latest.current.nodes).filter((node) => touches(rectangleOf(node), area))
      const others = multiSelectionActive ? (before ?? []) : []
      const next = new Set([...others, ...found.map(({ instanceId }) => instanceId)])
      const shown = latest.current.selectedIds
      if (next.size !== shown.size || !next.isSubsetOf(shown)) latest.current.onSelect(next)
    }
    const unsubscribe = store.subscribe((state, last) => {
      if (state.userSelectionRect === last.userSelectionRect) return
      if (state.userSelectionRect) {
        before ??= latest.current.selectedIds
        box = state.userSelectionRect
        frame ||= requestAnimationFrame(select)
      } else {
        // The pointer was released, perhaps before the last frame.
        select()
        before = undefined
        box = null
      }
    })
    return () => {
      cancelAnimationFrame(frame)
      unsubscribe()
    }
  }, [store])
}
