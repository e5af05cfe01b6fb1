import type { GraphContent, Node } from '@meadow/contract'
import type { GraphPlace, SavedView } from '@meadow/contract/web'
import { useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { NARROW, useMedia } from '../../../shell/first-render.ts'
import { type Follow, useFollow } from '../../live/follow.ts'
import { contains, grow, type Rectangle, rectangleOf, unite } from '../layout/rectangle.ts'
import { areaOfView, fitGraph, fitSeen, MAX_ZOOM, minZoomOf, openingView, type View } from '../layout/view.ts'
import { findOwnView, rememberView } from './own-views.ts'

/** Below this zoom nodes of larger graphs are painted. */
export const FAR = 0.5
/** A revealed node is shown at this zoom at least. */
const READABLE_ZOOM = 0.8
/** The padding around several nodes that are revealed, as a fraction of their size. */
const REVEAL_PADDING = 0.4

/** The part of the canvas that is rendered: the visible one with a margin, so that small moves render nothing new. */
export interface RenderedView {
  area: Rectangle
  zoom: number
}

/** The margin on each side, as a fraction of the visible size. */
const MARGIN = 0.3
/** After a change of the zoom, pictures are rendered sharply again once the zoom has been still for this long. */
const SETTLE_MS = 120
/** While the zoom changes, pictures are rendered only when they are too large or too small by this factor. */
const MAX_BLUR = 2.5

/**
 * Returns the rendered view, which changes rarely while the canvas moves; undefined until the size of the canvas is
 * known.
 */
export function useRenderedView(): RenderedView | undefined {
  const store = useStoreApi()
  const [rendered, setRendered] = useState<RenderedView>()
  useEffect(() => {
    let current: RenderedView | undefined
    let settle: number | undefined
    const readVisible = (): RenderedView | undefined => {
      const { transform, width, height } = store.getState()
      const view = toView(transform, { width, height })
      return width === 0 || height === 0
        ? undefined
        : { area: areaOfView(view, { width, height }), zoom: view.zoom }
    }
    const update = () => {
      clearTimeout(settle)
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
      const ratio = current ? visible.zoom / current.zoom : Number.POSITIVE_INFINITY
      // When the view is zoomed out, the overview shows what is outside of the rendered area.
      const isOutside = ratio === 1 && !(current && contains(current.area, visible.area))
      if (isOutside || ratio > MAX_BLUR || ratio < 1 / MAX_BLUR) update()
      else if (ratio !== 1) {
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

type Pane = { width: number; height: number }

export const toView = ([x, y, zoom]: readonly [number, number, number], { width, height }: Pane): View => ({
  x: (width / 2 - x) / zoom,
  y: (height / 2 - y) / zoom,
  zoom,
})

export const toViewport = ({ x, y, zoom }: View, { width, height }: Pane): Viewport => ({
  x: width / 2 - x * zoom,
  y: height / 2 - y * zoom,
  zoom,
})

const isAt = ([x, y, zoom]: readonly [number, number, number], viewport: Viewport | undefined): boolean =>
  viewport !== undefined && viewport.x === x && viewport.y === y && viewport.zoom === zoom

/** Returns the size of the pane. */
const usePane = (): Pane => {
  const width = useStore(({ width }) => width)
  const height = useStore(({ height }) => height)
  return useMemo(() => ({ width, height }), [width, height])
}

export interface ViewOfDocument {
  minZoom: number
  /** Shows all of the graph. */
  fit: () => void
  /** Remembers the view that the reader left the canvas at. */
  remember: () => void
}

/**
 * Shows the view that a document opens at as soon as the size of the canvas is known. In a narrow window, where panels take
 * room from the canvas, what is seen of the graph stays in view, and the view is as before when the room is back.
 */
export function useDocumentView(
  documentId: string | undefined,
  { nodes }: Pick<GraphContent, 'nodes'>,
  saved: SavedView | null,
): ViewOfDocument {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  const pane = usePane()
  const isNarrow = useMedia(NARROW)
  /** What was set here last: the reader has moved the canvas since when it shows something else. */
  const opening = useRef<Viewport>(undefined)
  const lastPane = useRef<Pane>(undefined)
  /** What the reader sees while there is room for it, and the size of the canvas then. */
  const seen = useRef<{ view: View; pane: Pane }>(undefined)
  const isReady = pane.width > 0 && pane.height > 0
  const minZoom = useMemo(() => minZoomOf({ nodes }, pane), [nodes, pane])
  const show = useCallback(
    (view: View) => {
      const { width, height, setMinZoom } = store.getState()
      // React Flow would get this zoom with the next render only, but it bounds the view that is set now.
      setMinZoom(minZoom)
      const viewport = toViewport(view, { width, height })
      void setViewport(viewport)
      return viewport
    },
    [store, setViewport, minZoom],
  )
  useEffect(() => {
    if (opening.current || !isReady) return
    const view = openingView({ nodes }, pane, {
      own: documentId === undefined ? undefined : findOwnView(documentId),
      saved,
    })
    opening.current = view ? show(view) : { x: 0, y: 0, zoom: 1 }
  }, [documentId, nodes, saved, isReady, pane, show])
  useEffect(() => {
    const before = lastPane.current
    if (!isReady || before === pane) return
    lastPane.current = pane
    if (!before || !isNarrow) return
    const { transform } = store.getState()
    if (!seen.current || !isAt(transform, opening.current))
      seen.current = { view: toView(transform, before), pane: before }
    const view = fitSeen({ nodes }, seen.current, pane)
    opening.current = toViewport(view, pane)
    show(view)
  }, [nodes, isReady, isNarrow, pane, store, show])
  const fit = useCallback(() => {
    const { width, height } = store.getState()
    const view = fitGraph({ nodes }, { width, height })
    if (view) show(view)
  }, [nodes, store, show])
  const remember = useCallback(() => {
    const { transform, width, height } = store.getState()
    if (documentId === undefined || !opening.current || width === 0) return
    if (isAt(transform, opening.current)) return
    rememberView(documentId, toView(transform, { width, height }))
  }, [documentId, store])
  useEffect(() => {
    addEventListener('pagehide', remember)
    return () => removeEventListener('pagehide', remember)
  }, [remember])
  return { minZoom, fit, remember }
}

/** Returns the function that centers the canvas on a node, or fits several. */
export function useReveal(): (nodes: readonly Node[]) => void {
  const { setCenter, fitBounds, getZoom } = useReactFlow()
  return useCallback(
    (nodes) => {
      const [first, ...more] = nodes
      const bounds = unite(nodes.map(rectangleOf))
      if (!first || !bounds) return
      const { left: x, top: y, right, bottom } = bounds
      const [width, height] = [right - x, bottom - y]
      if (more.length > 0) void fitBounds({ x, y, width, height }, { padding: REVEAL_PADDING })
      else void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), READABLE_ZOOM) })
    },
    [setCenter, fitBounds, getZoom],
  )
}

/**
 * Returns a function that brings all of some nodes into view, and returns false while the size of the canvas is not
 * known.
 */
export function useRevealAll(): (nodes: readonly Node[]) => boolean {
  const { setViewport } = useReactFlow()
  const pane = usePane()
  return useCallback(
    (nodes) => {
      const byId = Object.fromEntries(nodes.map((node) => [node.instanceId, node]))
      const view = pane.width > 0 && pane.height > 0 ? fitGraph({ nodes: byId }, pane) : undefined
      if (!view) return false
      // In the next frame, the document has shown the view that it opens at.
      requestAnimationFrame(() => void setViewport(toViewport(view, pane)))
      return true
    },
    [pane, setViewport],
  )
}

const FLIGHT_MS = 700

/** Lets the canvas follow the page, and tells the page which part of the graph it shows. */
export function useFollowGraph(clusterIds: readonly string[], follow: Follow<GraphPlace> | undefined): void {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  const hasSize = useStore(({ width, height }) => width > 0 && height > 0)
  const clusters = follow?.flight?.place.clusters
  useFollow(follow, {
    // Places of another graph are for the canvas that comes next.
    isReady: hasSize && (!clusters || clusters.join() === clusterIds.join()),
    read() {
      const { transform, width, height } = store.getState()
      const { x, y, zoom } = toView(transform, { width, height })
      return { kind: 'graph', clusters: [...clusterIds], x, y, width: width / zoom, height: height / zoom }
    },
    go({ x, y, ...seen }, isInstant) {
      const { width, height, minZoom } = store.getState()
      const zoom = Math.min(width / seen.width, height / seen.height, MAX_ZOOM)
      const viewport = toViewport({ x, y, zoom: Math.max(zoom, minZoom) }, { width, height })
      void setViewport(viewport, isInstant ? {} : { duration: FLIGHT_MS })
    },
  })
}
