import type { GraphContent, Node } from '@meadow/contract'
import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { boxOf } from '../layout/node-box.ts'
import { boundsOf, contains, grow, type Rectangle } from '../layout/rectangle.ts'

/** Below this zoom texts are too small to be read. */
export const FAR = 0.4
/** Of what is seen, prepared on each side of it. */
const MARGIN = 0.3
/** What is drawn is sharp again so long after the last change of the zoom. */
const SETTLE_MS = 120

/** The part of the canvas that is drawn: what is seen and some more, so that moving a little needs nothing new. */
export interface RenderedView {
  area: Rectangle
  zoom: number
}

/** Changes rarely while the canvas is moved, which costs nothing but that. Undefined until the canvas knows its size. */
export function useRenderedView(): RenderedView | undefined {
  const store = useStoreApi()
  const [cover, setCover] = useState<RenderedView>()
  useEffect(() => {
    let now: RenderedView | undefined
    let settle: number | undefined
    const take = () => {
      const seen = readView()
      if (!seen) return
      const { left, top, right, bottom } = seen.area
      const area = grow(seen.area, MARGIN * (right - left), MARGIN * (bottom - top))
      now = { area, zoom: seen.zoom }
      setCover(now)
    }
    const readView = (): RenderedView | undefined => {
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      if (width === 0 || height === 0) return undefined
      return {
        area: { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom },
        zoom,
      }
    }
    const check = () => {
      const seen = readView()
      if (!seen) return
      const isLeft = !now || !contains(now.area, seen.area)
      const isCoarse = now && (seen.zoom / now.zoom > 2 || seen.zoom / now.zoom < 0.5)
      if (isLeft || isCoarse) take()
      else if (now && seen.zoom !== now.zoom) {
        clearTimeout(settle)
        settle = window.setTimeout(take, SETTLE_MS)
      }
    }
    check()
    const end = store.subscribe((state, last) => {
      if (state.transform !== last.transform || state.width !== last.width || state.height !== last.height)
        check()
    })
    return () => {
      clearTimeout(settle)
      end()
    }
  }, [store])
  return cover
}

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

/** At least so large is shown what one asked to see. */
const READABLE_ZOOM = 0.8

/** Moves the canvas to a node. */
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
