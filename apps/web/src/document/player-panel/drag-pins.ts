import type { DragEvent } from 'react'
import type { PinSide } from '../graph/editing/pins.ts'

/** Returns a media type for each list, so that pins stay in theirs and other drags are not taken for pins. */
const mediaTypeOf = (side: PinSide) => `application/x-meadow-pin-${side}`

/** Starts to drag the pin at an index. The line of the pin is the picture of the drag. */
export function startPinDrag(event: DragEvent, side: PinSide, index: number): void {
  event.dataTransfer.setData(mediaTypeOf(side), String(index))
  event.dataTransfer.effectAllowed = 'move'
  const line = event.currentTarget.closest('li')
  if (line) event.dataTransfer.setDragImage(line, 8, 16)
}

/** The props of a line that takes pins of its list. `drop` gets the index where the pin was. */
export const pinTarget = (side: PinSide, drop: (from: number) => void) => ({
  onDragOver(event: DragEvent) {
    if (!event.dataTransfer.types.includes(mediaTypeOf(side))) return
    event.preventDefault()
    event.currentTarget.setAttribute('data-drop', '')
  },
  onDragLeave: (event: DragEvent) => event.currentTarget.removeAttribute('data-drop'),
  onDrop(event: DragEvent) {
    event.currentTarget.removeAttribute('data-drop')
    const text = event.dataTransfer.getData(mediaTypeOf(side))
    if (text === '') return
    event.preventDefault()
    drop(Number(text))
  },
})
