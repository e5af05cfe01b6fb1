import type { PointerEvent } from 'react'

/** A pointer that moved no further than this only clicked, in CSS pixels. */
const REACH = 3

/** Follows a pressed pointer until it is let go. Told in CSS pixels from where it was pressed; not at all of a click. */
export function trackPointer(
  { currentTarget, pointerId, clientX, clientY }: PointerEvent,
  told: { move: (x: number, y: number) => void; end: (x: number, y: number) => void },
): void {
  let isMoved = false
  const end = new AbortController()
  const on = (name: 'pointermove' | 'pointerup' | 'pointercancel', listen: (x: number, y: number) => void) =>
    currentTarget.addEventListener(
      name,
      (event) => {
        const { clientX: x, clientY: y } = event as globalThis.PointerEvent
        listen(x - clientX, y - clientY)
      },
      { signal: end.signal },
    )
  currentTarget.setPointerCapture(pointerId)
  on('pointermove', (x, y) => {
    isMoved ||= Math.hypot(x, y) > REACH
    if (isMoved) told.move(x, y)
  })
  const finish = (x: number, y: number) => {
    end.abort()
    if (isMoved) told.end(x, y)
  }
  on('pointerup', finish)
  on('pointercancel', () => finish(0, 0))
}
