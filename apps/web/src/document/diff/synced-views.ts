import { useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { toView, toViewport } from '../graph/canvas/viewport.ts'
import { grow, type Rectangle, unite } from '../graph/layout/rectangle.ts'
import { fitArea, type View } from '../graph/layout/view.ts'
import { SIDES, type Side } from './locate-change.ts'

interface Canvas {
  readonly size: { width: number; height: number }
  read(): View
  show(view: View): void
}

/** The canvases of the two documents, which show the same part of them: when one moves, the other follows. */
export interface SyncedViews {
  join(side: Side, canvas: Canvas): () => void
  /** Called when a canvas has moved. */
  follow(side: Side): void
  /**
   * Shows an area of each document in the middle. An area is undefined if what it would show is only in the other
   * document. If something has moved far, each canvas shows its own area, and both keep this offset when they move.
   */
  reveal(areas: Areas): void
  /** Called when a canvas knows its size and shows its first view. */
  arrive(side: Side): void
}

type Areas = Record<Side, Rectangle | undefined>

/** Areas that are farther apart than this, in canvas units, are not shown as one. */
const FAR_APART = 400
/** The margin around what is revealed, in canvas units. */
const MARGIN = 120
/** The least zoom at which something is revealed, if it fits. */
const READABLE_ZOOM = 0.8

export function createSyncedViews(): SyncedViews {
  const canvases = new Map<Side, Canvas>()
  /** The offset from the view of the canvas of `before` to that of the canvas of `after`. */
  let offset = { x: 0, y: 0 }
  let isFollowing = false
  /** What is to be revealed as soon as there is a canvas for it. */
  let pending: Areas | undefined

  function follow(side: Side): void {
    const view = isFollowing ? undefined : canvases.get(side)?.read()
    if (!view) return
    isFollowing = true
    const sign = side === 'after' ? -1 : 1
    const shifted = { ...view, x: view.x + sign * offset.x, y: view.y + sign * offset.y }
    for (const other of SIDES) if (other !== side) canvases.get(other)?.show(shifted)
    isFollowing = false
  }

  function reveal(areas: Areas): void {
    const { before, after } = areas
    const lead = after ? 'after' : 'before'
    const [area, canvas] = [after ?? before, canvases.get(lead)]
    if (!area) return
    pending = canvas && canvas.size.width > 0 ? undefined : areas
    if (!canvas || pending) return
    const apart = before && after ? distanceOf(before, after) : { x: 0, y: 0 }
    const isFar = Math.hypot(apart.x, apart.y) > FAR_APART
    offset = isFar ? apart : { x: 0, y: 0 }
    const both = isFar ? area : (unite([before, after].filter((one) => one !== undefined)) ?? area)
    canvas.show(fitArea(grow(both, MARGIN), canvas.size, Math.max(canvas.read().zoom, READABLE_ZOOM)))
    follow(lead)
  }

  return {
    follow,
    reveal,
    arrive(side) {
      if (pending) reveal(pending)
      else follow(side === 'before' ? 'after' : 'before')
    },
    join(side, canvas) {
      canvases.set(side, canvas)
      return () => canvases.delete(side)
    },
  }
}

const distanceOf = (one: Rectangle, other: Rectangle) => ({
  x: (other.left + other.right - one.left - one.right) / 2,
  y: (other.top + other.bottom - one.top - one.bottom) / 2,
})

/** Makes the canvas around it one of the synchronised ones. */
export function SyncedCanvas({ side, views }: { side: Side; views: SyncedViews }) {
  const store = useStoreApi()
  const { setViewport } = useReactFlow()
  useEffect(() => {
    const sizeOf = () => {
      const { width, height } = store.getState()
      return { width, height }
    }
    const leave = views.join(side, {
      get size() {
        return sizeOf()
      },
      read: () => toView(store.getState().transform, sizeOf()),
      // Without a duration, `setViewport` acts synchronously.
      show: (view) => void setViewport(toViewport(view, sizeOf())),
    })
    const unsubscribe = store.subscribe((state, last) => {
      if (state.transform !== last.transform) views.follow(side)
    })
    return () => {
      unsubscribe()
      leave()
    }
  }, [store, setViewport, side, views])
  const isReady = useStore(({ width, height }) => width > 0 && height > 0)
  useEffect(() => {
    if (!isReady) return undefined
    // In the next frame, the canvas has shown the view that it opens at.
    const frame = requestAnimationFrame(() => views.arrive(side))
    return () => cancelAnimationFrame(frame)
  }, [isReady, views, side])
  return null
}
