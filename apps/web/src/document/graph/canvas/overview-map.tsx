import { useReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react'
import { type PointerEvent, useEffect, useLayoutEffect, useRef } from 'react'
import type { Rectangle } from '../layout/rectangle.ts'
import styles from './overview-map.module.css'
import type { Overview } from './use-overview.ts'

/** The overview behind the canvas: seen while the canvas moves or shrinks faster than it is rendered. */
export function OverviewLayer({ overview: { canvas, area } }: { overview: Overview }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => frame.current!.replaceChildren(canvas), [canvas])
  const { left, top, right, bottom } = area
  return (
    <ViewportPortal>
      <div
        ref={frame}
        className={styles.layer}
        style={{ left, top, width: right - left, height: bottom - top }}
        aria-hidden
      />
    </ViewportPortal>
  )
}

/** The largest map, in CSS pixels. */
const MAX_WIDTH = 200
const MAX_HEIGHT = 140

/**
 * A map of the whole graph with a frame around the visible part. A click or drag moves the canvas there. For pointers only:
 * the keyboard moves from node to node, and finds nodes by name.
 */
export function OverviewMap({ overview: { canvas, area, scheme } }: { overview: Overview }) {
  const store = useStoreApi()
  const { setCenter, getZoom } = useReactFlow()
  const picture = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [width, height] = [area.right - area.left, area.bottom - area.top]
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height)
  const size = { width: width * scale, height: height * scale }
  useLayoutEffect(() => {
    const { current } = picture
    const density = Math.min(devicePixelRatio, 2)
    current!.width = Math.ceil(width * scale * density)
    current!.height = Math.ceil(height * scale * density)
    current!.getContext('2d')?.drawImage(canvas, 0, 0, current!.width, current!.height)
  }, [canvas, width, height, scale])
  useEffect(() => {
    // The frame is not placed through React's state, since it moves whenever the canvas does. Its element is kept here
    // because the store is reset after the element was removed from the page.
    const { current } = frame
    const place = () => placeFrame(current!, store.getState(), area, scale)
    place()
    return store.subscribe(place)
  }, [store, area, scale])
  const moveTo = ({ currentTarget, clientX, clientY, buttons }: PointerEvent) => {
    if (buttons !== 1) return
    const { left, top } = currentTarget.getBoundingClientRect()
    void setCenter(area.left + (clientX - left) / scale, area.top + (clientY - top) / scale, {
      zoom: getZoom(),
    })
  }
  return (
    <div
      className={`${styles.map} nopan nowheel`}
      style={size}
      data-overview={scheme}
      aria-hidden
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        moveTo(event)
      }}
      onPointerMove={moveTo}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <canvas ref={picture} style={size} />
      <div ref={frame} className={styles.frame} />
    </div>
  )
}

interface CanvasState {
  transform: readonly [number, number, number]
  width: number
  height: number
}

function placeFrame(
  frame: HTMLElement,
  { transform: [x, y, zoom], width, height }: CanvasState,
  area: Rectangle,
  scale: number,
): void {
  const [left, top] = [(-x / zoom - area.left) * scale, (-y / zoom - area.top) * scale]
  frame.style.transform = `translate(${left}px, ${top}px)`
  frame.style.width = `${(width / zoom) * scale}px`
  frame.style.height = `${(height / zoom) * scale}px`
}
