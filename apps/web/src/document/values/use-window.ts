import { useMergedRef, useResizeObserver } from '@mantine/hooks'
import { type UIEvent, useCallback, useRef, useState } from 'react'

const ROW_HEIGHT = 26
/** The number of rows that are rendered above and below the visible ones. */
const MARGIN_ROWS = 8
/** The height of the largest element, which browsers limit. In longer tables, a step of the scroll bar skips rows. */
const MAX_HEIGHT = 8_000_000

/** Which of many rows of one height are rendered: those in view, and a few around them. */
export function useWindow(count: number) {
  const element = useRef<HTMLDivElement>(null)
  const [observer, { height: seen }] = useResizeObserver<HTMLDivElement>()
  const ref = useMergedRef(element, observer)
  const [top, setTop] = useState(0)
  const full = count * ROW_HEIGHT
  const height = Math.min(full, MAX_HEIGHT)
  const scale = full > height ? (full - seen) / (height - seen) : 1
  const first = Math.max(Math.floor((top * scale) / ROW_HEIGHT) - MARGIN_ROWS, 0)
  const last = Math.min(Math.ceil((top * scale + seen) / ROW_HEIGHT) + MARGIN_ROWS, count)
  const pageRows = Math.max(Math.floor(seen / ROW_HEIGHT) - 2, 1)
  return {
    ref,
    height,
    pageRows,
    positions: Array.from({ length: Math.max(last - first, 0) }, (_, i) => first + i),
    topOf: (position: number) => position * ROW_HEIGHT - top * scale + top,
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => setTop(currentTarget.scrollTop),
    /** Scrolls as little as needed. */
    scrollTo: useCallback(
      (position: number) => {
        if (!element.current) return
        const at = position * ROW_HEIGHT
        const from = element.current.scrollTop * scale
        // The first row of what is seen is the head.
        const room = element.current.clientHeight - 2 * ROW_HEIGHT
        if (at < from) element.current.scrollTop = at / scale
        else if (at > from + room) element.current.scrollTop = (at - room) / scale
      },
      [scale],
    ),
  }
}
