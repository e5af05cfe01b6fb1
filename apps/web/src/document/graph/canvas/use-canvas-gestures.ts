import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** The farthest that a pointer may move during a click, in CSS pixels. */
const CLICK_DISTANCE = 3
/** The farthest that a finger, which is less steady, may move during a tap, in CSS pixels. */
const TAP_DISTANCE = 10
const LONG_PRESS_MS = 500

type Listener = (x: number, y: number) => void

/** Reports the drag of a pressed pointer, as an offset in CSS pixels, or a click. */
export function trackDrag(
  { pointerId, clientX, clientY }: PointerEvent,
  handlers: { move: Listener; end: Listener; click: () => void },
): void {
  let isMoved = false
  const listeners = new AbortController()
  const on = (name: 'pointermove' | 'pointerup' | 'pointercancel', listen: Listener) =>
    addEventListener(
      name,
      (event) => {
        if (event.pointerId === pointerId) listen(event.clientX - clientX, event.clientY - clientY)
      },
      { signal: listeners.signal, capture: true },
    )
  on('pointermove', (x, y) => {
    isMoved ||= Math.hypot(x, y) > CLICK_DISTANCE
    if (isMoved) handlers.move(x, y)
  })
  on('pointerup', (x, y) => {
    listeners.abort()
    if (isMoved) handlers.end(x, y)
    else handlers.click()
  })
  on('pointercancel', () => {
    listeners.abort()
    if (isMoved) handlers.end(0, 0)
  })
}

/** Whether the last pointer was a finger: fingers move the canvas where a mouse selects. */
export function useIsTouch(): boolean {
  const [isTouch, setIsTouch] = useState(() => matchMedia('(pointer: coarse)').matches)
  useEffect(() => {
    const see = ({ pointerType }: globalThis.PointerEvent) => setIsTouch(pointerType === 'touch')
    addEventListener('pointerdown', see, { capture: true })
    return () => removeEventListener('pointerdown', see, { capture: true })
  }, [])
  return isTouch
}

/**
 * Reports a finger that rests on the canvas, for browsers that do not open a context menu then. Returns the handler of
 * pressed pointers.
 */
export function useLongPress(onPress: (target: Element, at: { clientX: number; clientY: number }) => void) {
  const latest = useRef(onPress)
  latest.current = onPress
  const fingers = useRef(0)
  return (event: PointerEvent) => {
    if (event.pointerType !== 'touch' || !(event.target instanceof Element)) return
    const { target, clientX, clientY, pointerId } = event
    const listeners = new AbortController()
    fingers.current++
    const timer = setTimeout(() => {
      stop()
      // A second finger pinches.
      if (fingers.current > 1) return
      // The mouse events that follow a touch would close what opens now.
      addEventListener('touchend', (end) => end.preventDefault(), {
        once: true,
        capture: true,
        passive: false,
      })
      latest.current(target, { clientX, clientY })
    }, LONG_PRESS_MS)
    const stop = () => {
      clearTimeout(timer)
      listeners.abort()
    }
    const options = { signal: listeners.signal, capture: true }
    const lifted = new AbortController()
    const lift = (up: globalThis.PointerEvent) => {
      if (up.pointerId !== pointerId) return
      fingers.current--
      lifted.abort()
      stop()
    }
    addEventListener('pointerup', lift, { signal: lifted.signal, capture: true })
    addEventListener('pointercancel', lift, { signal: lifted.signal, capture: true })
    // The browser opens the menu itself.
    addEventListener('contextmenu', stop, options)
    addEventListener(
      'pointermove',
      (move) => {
        if (move.pointerId !== pointerId) return
        if (Math.hypot(move.clientX - clientX, move.clientY - clientY) > TAP_DISTANCE) stop()
      },
      options,
    )
  }
}
