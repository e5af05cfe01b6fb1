import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Shorter lists are in the page as a whole, so that the browser's own search finds everything. */
export const WHOLE_LIST = 100
/** The number of rows above and below the visible ones, which a fast wheel shows before the next frame. */
const OVERSCAN = 12

export interface WindowRows {
  /** The rows to draw, `to` excluded. */
  from: number
  to: number
  /** The heights of what is not drawn above and below, in pixels. */
  before: number
  after: number
  scrollTo(row: number): void
}

/** Which rows of a list are drawn while the window scrolls. All rows have one height, so that nothing is measured. */
export function useWindowRows(
  list: RefObject<HTMLElement | null>,
  { count, height, isWhole }: { count: number; height: number; isWhole: boolean },
): WindowRows {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setTop(list.current.getBoundingClientRect().top + scrollY)
    }
    measure()
    // What is above the list may grow, which makes the page longer.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
    enabled: !isWhole,
  })
  const rows = isWhole ? [] : virtualizer.getVirtualItems()
  const from = isWhole ? 0 : (rows[0]?.index ?? 0)
  const to = isWhole ? count : (rows.at(-1)?.index ?? -1) + 1
  return {
    from,
    to,
    before: from * height,
    after: Math.max(0, count - to) * height,
    scrollTo(row) {
      if (!isWhole) virtualizer.scrollToIndex(row, { align: 'auto' })
    },
  }
}
