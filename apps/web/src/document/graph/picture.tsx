import { type CSSProperties, useLayoutEffect, useRef } from 'react'
import styles from './graph-canvas.module.css'
import type { Rectangle } from './rectangle.ts'

/** Paints what lies in an area of the canvas. */
export type Paint = (context: CanvasRenderingContext2D, area: Rectangle) => void

interface PictureProps {
  /** What of the canvas it shows, in canvas units: small is fast. */
  area: Rectangle
  zoom: number
  /** Another function paints again. */
  paint: Paint
  transform?: CSSProperties['transform']
}

/** A part of the canvas that is painted, sharp at a zoom. */
export function Picture({ area, zoom, paint, transform }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { left, top, right, bottom } = area
  useLayoutEffect(() => {
    const area = { left, top, right, bottom }
    const context = openContext(canvas.current!, area, zoom)
    if (context) paint(context, area)
  }, [left, top, right, bottom, zoom, paint])
  return (
    <canvas
      ref={canvas}
      className={styles.picture}
      style={{ left, top, width: right - left, height: bottom - top, transform }}
      aria-hidden
    />
  )
}

/** An empty canvas of a sharp size, that takes canvas units. */
function openContext(canvas: HTMLCanvasElement, area: Rectangle, zoom: number) {
  const scale = zoom * Math.min(devicePixelRatio, 2)
  canvas.width = Math.ceil((area.right - area.left) * scale)
  canvas.height = Math.ceil((area.bottom - area.top) * scale)
  const context = canvas.getContext('2d')
  context?.setTransform(scale, 0, 0, scale, -area.left * scale, -area.top * scale)
  return context
}
