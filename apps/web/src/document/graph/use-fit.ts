import type { GraphContent } from '@meadow/contract'
import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import { boundsOf } from './rectangle.ts'

const PADDING = 0.08
const LARGEST_ZOOM = 1.1
export const SMALLEST_ZOOM = 0.05

/** Shows all of a document when it is opened, as soon as the canvas knows its size; gives what shows all again. */
export function useFit({ nodes }: GraphContent): () => void {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  const isReady = useStore(({ width, height }) => width > 0 && height > 0)
  const isDone = useRef(false)
  const fit = useCallback(() => {
    const { width, height } = store.getState()
    const bounds = boundsOf(Object.keys(nodes), nodes)
    if (!bounds) return
    const { left: x, top: y, right, bottom } = bounds
    const area = { x, y, width: right - x, height: bottom - y }
    void setViewport(getViewportForBounds(area, width, height, SMALLEST_ZOOM, LARGEST_ZOOM, PADDING))
  }, [nodes, store, setViewport])
  useEffect(() => {
    if (isDone.current || !isReady) return
    isDone.current = true
    fit()
  }, [isReady, fit])
  return fit
}
