import type { GraphContent, Node } from '@meadow/contract'
import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { boxOf } from '../layout/node-box.ts'
import { boundsOf, contains, grow, type Rectangle } from '../layout/rectangle.ts'

/** Below this zoom texts are too small to be read. */
export const FAR = 0.4
export const MIN_ZOOM = 0.05
const MAX_FIT_ZOOM = 1.1
const FIT_PADDING = 0.08
/** A revealed node is shown at this zoom at least. */
const READABLE_ZOOM = 0.8

/** The part of the canvas that is rendered: the visible one with a margin, so that small moves render nothing new. */
export interface RenderedView {
  area: Rectangle
  zoom: number
}

/** The margin on each side, as a fraction of the visible size. */
const MARGIN = 0.3
/** After a change of the zoom, pictures are rendered sharply again once the zoom has been still for this long. */
const SETTLE_MS = 120

/** Changes rarely while the canvas moves. Undefined until the size of the canvas is known. */
export function useRenderedView(): RenderedView | undefined {
  const store = useStoreApi()
  const [rendered, setRendered] = useState<RenderedView>()
  useEffect(() => {
    let current: RenderedView | undefined
    let settle: number | undefined
    const readVisible = (): RenderedView | undefined => {
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      if (width === 0 || height === 0) return undefined
      return {
        area: { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom },
        zoom,
      }
    }
    const update = () => {
      const visible = readVisible()
      if (!visible) return
      const { left, top, right, bottom } = visible.area
      const area = grow(visible.area, MARGIN * (right - left), MARGIN * (bottom - top))
      current = { area, zoom: visible.zoom }
      setRendered(current)
    }
    const check = () => {
      const visible = readVisible()
      if (!visible) return
      const isOutside = !current || !contains(current.area, visible.area)
      const isBlurred = current && (visible.zoom / current.zoom > 2 || visible.zoom / current.zoom < 0.5)
      if (isOutside || isBlurred) update()
      else if (current && visible.zoom !== current.zoom) {
        clearTimeout(settle)
        settle = window.setTimeout(update, SETTLE_MS)
      }
    }
    check()
    const unsubscribe = store.subscribe((state, last) => {
      if (state.transform !== last.transform || state.width !== last.width || state.height !== last.height)
        check()
    })
    return () => {
      clearTimeout(settle)
      unsubscribe()
    }
  }, [store])
  return rendered
}

/** Fits the graph into the canvas once its size is known, and returns the function that does so again. */
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
    void setViewport(getViewportForBounds(area, width, height, MIN_ZOOM, MAX_FIT_ZOOM, FIT_PADDING))
  }, [nodes, store, setViewport])
  useEffect(() => {
    if (isDone.current || !isReady) return
    isDone.current = true
    fit()
  }, [isReady, fit])
  return fit
}

/** Returns the function that centers the canvas on a node. */
export function useReveal(): (node: Node) => void {
  const { setCenter, getZoom } = useReactFlow()
  return useCallback(
    (node) => {
      const { x, y, width, height } = boxOf(node)
      void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), READABLE_ZOOM) })
    },
    [setCenter, getZoom],
  )
}
