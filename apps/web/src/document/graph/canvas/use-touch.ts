import { type PointerEvent, type TouchEvent, useEffect, useRef } from 'react'

/** A finger that stays for this long opens the menu. */
const HOLD_MS = 500
/** The longest time between the taps of a double tap. */
const DOUBLE_TAP_MS = 350
/** A finger that moved no further has not moved, in CSS pixels. */
const REACH = 12

type TouchPoint = Pick<PointerEvent, 'clientX' | 'clientY' | 'target'>

interface TouchInput {
  onHold: (point: TouchPoint) => void
  onDoubleTap: (point: TouchPoint) => void
}

/**
 * Recognizes two gestures of one finger: touch and hold, and double tap. Browsers report them differently, as
 * `contextmenu` and `dblclick`, or not at all. Returns handlers for the canvas.
 */
export function useTouch(input: TouchInput) {
  const latest = useRef(input)
  latest.current = input
  const [fingers, down, lastTap, timer, isHandled] = [
    useRef(new Set<number>()),
    useRef<TouchPoint & { timeStamp: number }>(undefined),
    useRef<TouchPoint & { timeStamp: number }>(undefined),
    useRef<number>(undefined),
    useRef(false),
  ]
  const cancel = () => {
    clearTimeout(timer.current)
    down.current = undefined
  }
  useEffect(() => () => clearTimeout(timer.current), [timer])
  const lift = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId)
    if (event.pointerType !== 'touch' || !down.current || isHandled.current) return cancel()
    cancel()
    const { clientX, clientY, target, timeStamp } = event
    const tap = { clientX, clientY, target, timeStamp }
    const before = lastTap.current
    const isDouble = before && timeStamp - before.timeStamp < DOUBLE_TAP_MS && isNear(before, tap)
    lastTap.current = isDouble ? undefined : tap
    if (!isDouble) return
    isHandled.current = true
    latest.current.onDoubleTap(tap)
  }
  return {
    onPointerDownCapture(event: PointerEvent) {
      if (event.pointerType !== 'touch') return
      cancel()
      fingers.current.add(event.pointerId)
      isHandled.current = false
      if (fingers.current.size > 1) return
      const { clientX, clientY, target, timeStamp } = event
      const point = { clientX, clientY, target, timeStamp }
      down.current = point
      timer.current = window.setTimeout(() => {
        isHandled.current = true
        latest.current.onHold(point)
      }, HOLD_MS)
    },
    onPointerMoveCapture(event: PointerEvent) {
      if (down.current && event.pointerType === 'touch' && !isNear(down.current, event)) cancel()
    },
    onPointerUpCapture: lift,
    onPointerCancelCapture(event: PointerEvent) {
      fingers.current.delete(event.pointerId)
      cancel()
    },
    /** The mouse events that follow a touch would close what the gesture has opened. */
    onTouchEndCapture(event: TouchEvent) {
      if (isHandled.current && event.cancelable) event.preventDefault()
    },
  }
}

const isNear = (a: Pick<TouchPoint, 'clientX' | 'clientY'>, b: Pick<TouchPoint, 'clientX' | 'clientY'>) =>
  Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) <= REACH
