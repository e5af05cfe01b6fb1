import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Vector3 } from 'three'
import type { SceneValue } from './scene/scene-values.ts'
import type { Viewer } from './viewer.ts'

/** The farthest that a pointer may move during a click, in CSS pixels. */
const CLICK_DISTANCE = 4

interface PointerInput {
  viewer: Viewer | undefined
  isMeasuring: boolean
  /** The points that were measured so far. */
  points: readonly Vector3[]
  onPick: (values: readonly SceneValue[], isAdded: boolean) => void
  onPoint: (point: Vector3) => void
  /** Called with the object under the pointer; undefined where nobody asks for it. */
  onHover: ((value: SceneValue | undefined) => void) | undefined
  /** Takes clicks in place of `onPick`. */
  onAnchor: ((point: Vector3, value: SceneValue | undefined) => void) | undefined
}

interface Spot {
  x: number
  y: number
}

const LEFT = 0

/** Clicks, the selection rectangle (Shift and drag), and points that are measured. The camera has its own listeners. */
export function usePointer({
  viewer,
  isMeasuring,
  points,
  onPick,
  onPoint,
  onHover,
  onAnchor,
}: PointerInput) {
  const start = useRef<Spot | undefined>(undefined)
  const [corners, setCorners] = useState<readonly [Spot, Spot]>()
  const hoverFrame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(hoverFrame.current), [])
  const [hovered, setHovered] = useState<Vector3>()
  useEffect(() => {
    if (!isMeasuring) setHovered(undefined)
  }, [isMeasuring])
  useEffect(() => viewer?.mark(hovered ? [...points, hovered] : points), [viewer, points, hovered])

  const spotOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>): Spot => {
    const { left, top } = currentTarget.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  /** Reports the object under the pointer once in a frame: in a large scene, looking for it takes some time. */
  const hover = (spot: Spot) => {
    cancelAnimationFrame(hoverFrame.current)
    hoverFrame.current = requestAnimationFrame(() => onHover?.(viewer?.pick(spot.x, spot.y)))
  }
  const isClick = (spot: Spot) =>
    start.current !== undefined &&
    Math.hypot(spot.x - start.current.x, spot.y - start.current.y) <= CLICK_DISTANCE

  return {
    handlers: {
      // In the capture phase, the camera has not seen the event yet.
      onPointerDownCapture(event: PointerEvent<HTMLCanvasElement>) {
        start.current = event.button === LEFT ? spotOf(event) : undefined
        const isRectangle = event.shiftKey && event.button === LEFT && !isMeasuring
        viewer?.setOrbiting(!isRectangle)
        if (!isRectangle) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setCorners([spotOf(event), spotOf(event)])
      },
      onPointerMove(event: PointerEvent<HTMLCanvasElement>) {
        const spot = spotOf(event)
        if (corners) setCorners([corners[0], spot])
        else if (isMeasuring && event.buttons === 0) setHovered(viewer?.pickPoint(spot.x, spot.y)?.point)
        else if (onHover && event.buttons === 0) hover(spot)
      },
      onPointerUp(event: PointerEvent<HTMLCanvasElement>) {
        const spot = spotOf(event)
        viewer?.setOrbiting(true)
        setCorners(undefined)
        if (event.button !== LEFT) return
        if (corners && !isClick(spot)) onPick(viewer?.pickIn(toRectangle([corners[0], spot])) ?? [], false)
        if (!isClick(spot)) return
        if (isMeasuring) {
          const picked = viewer?.pickPoint(spot.x, spot.y)
          setHovered(undefined)
          if (picked) onPoint(picked.point)
          return
        }
        const value = viewer?.pick(spot.x, spot.y)
        if (onAnchor) {
          const picked = viewer?.pickPoint(spot.x, spot.y)
          if (picked) onAnchor(picked.point, value)
          return
        }
        const isAdded = event.shiftKey || event.ctrlKey || event.metaKey
        if (value || !isAdded) onPick(value ? [value] : [], isAdded)
      },
      onPointerCancel() {
        viewer?.setOrbiting(true)
        setCorners(undefined)
      },
      onPointerLeave() {
        setHovered(undefined)
        onHover?.(undefined)
      },
    },
    rectangle: corners && toStyle(toRectangle(corners)),
  }
}

const toRectangle = ([a, b]: readonly [Spot, Spot]) => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  right: Math.max(a.x, b.x),
  bottom: Math.max(a.y, b.y),
})

const toStyle = ({ left, top, right, bottom }: ReturnType<typeof toRectangle>): CSSProperties => ({
  left,
  top,
  width: right - left,
  height: bottom - top,
})
