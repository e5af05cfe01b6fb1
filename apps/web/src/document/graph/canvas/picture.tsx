import { type CSSProperties, useLayoutEffect, useRef } from 'react'
import type { Rectangle } from '../layout/rectangle.ts'
import styles from './graph-canvas.module.css'

/**
 * Paints the content of an area of the canvas, and returns further steps, which may be done in later frames. `scale` is in
 * device pixels per canvas unit.
 */
export type Paint = (context: CanvasRenderingContext2D, area: Rectangle, scale: number) => Iterator<void>

interface PictureProps {
  /** The part of the canvas that it shows, in canvas units. */
  area: Rectangle
  zoom: number
  /** A new function repaints. */
  paint: Paint
  /** The largest number of pixels per CSS pixel. Fills need few. */
  maxDensity?: number
  className?: string | undefined
  transform?: CSSProperties['transform']
}

/** A painted part of the canvas, sharp at `zoom`. */
export function Picture({ area, zoom, paint, maxDensity = 2, className, transform }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { left, top, right, bottom } = area
  useLayoutEffect(() => {
    const area = { left, top, right, bottom }
    const scale = zoom * Math.min(devicePixelRatio, maxDensity)
    const context = resetContext(canvas.current!, area, scale)
    return context ? takeSteps(paint(context, area, scale)) : undefined
  }, [left, top, right, bottom, zoom, paint, maxDensity])
  return (
    <canvas
      ref={canvas}
      className={`${styles.picture} ${className ?? ''}`}
      style={{ left, top, width: right - left, height: bottom - top, transform }}
      aria-hidden
    />
  )
}

/** How long steps may take in one frame, in milliseconds. */
const STEPS_MS = 10

/** Takes all steps, now or in the next frames. Returns a function that skips the remaining ones. */
function takeSteps(steps: Iterator<void>): () => void {
  let frame = 0
  const take = () => {
    const end = performance.now() + STEPS_MS
    while (!steps.next().done)
      if (performance.now() > end) {
        frame = requestAnimationFrame(take)
        return
      }
  }
  take()
  return () => cancelAnimationFrame(frame)
}

/** Resizes the element to device pixels, which clears it, and scales its context to canvas units. */
export function resetContext(canvas: HTMLCanvasElement, area: Rectangle, scale: number) {
  canvas.width = Math.ceil((area.right - area.left) * scale)
  canvas.height = Math.ceil((area.bottom - area.top) * scale)
  const context = canvas.getContext('2d')
  context?.setTransform(scale, 0, 0, scale, -area.left * scale, -area.top * scale)
  return context
}
