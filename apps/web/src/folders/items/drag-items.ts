import type { DragEvent } from 'react'
import type { BulkItem } from './folder-changes.ts'

/** A type of our own, so that other drags are not taken for folder items. */
const MEDIA_TYPE = 'application/x-meadow-things'

/** Starts to drag items, of which there is one at least. Several are shown as their number. */
export function startDrag(event: DragEvent, items: readonly BulkItem[]): void {
  const named = items.map(({ kind, id, name }) => ({ kind, id, name }))
  event.dataTransfer.setData(MEDIA_TYPE, JSON.stringify(named))
  event.dataTransfer.effectAllowed = 'move'
  if (items.length > 1) showNumber(event.dataTransfer, items.length)
}

/**
 * Shows a number beside the pointer. The browser takes a picture of an element of the page, which may be removed
 * afterwards.
 */
function showNumber(data: DataTransfer, count: number): void {
  const badge = document.createElement('div')
  badge.className = 'drag-badge'
  badge.textContent = `${count.toLocaleString('en')} items`
  document.body.append(badge)
  data.setDragImage(badge, -8, -8)
  setTimeout(() => badge.remove())
}

/** The props of an element that takes dropped folders, documents and files. */
export const dropTarget = (folderId: string, drop: (items: BulkItem[]) => void) =>
  takeDrops(MEDIA_TYPE, (text) => {
    const items = (JSON.parse(text) as BulkItem[]).filter(({ id }) => id !== folderId)
    if (items.length > 0) drop(items)
  })

/** The props of an element that takes what is dragged with a media type of ours; while it is over it, it has `data-drop`. */
export const takeDrops = (mediaType: string, take: (text: string) => void) => ({
  onDragOver(event: DragEvent) {
    if (!event.dataTransfer.types.includes(mediaType)) return
    event.preventDefault()
    event.currentTarget.setAttribute('data-drop', '')
  },
  onDragLeave: (event: DragEvent) => event.currentTarget.removeAttribute('data-drop'),
  onDrop(event: DragEvent) {
    event.currentTarget.removeAttribute('data-drop')
    const text = event.dataTransfer.getData(mediaType)
    if (text === '') return
    event.preventDefault()
    take(text)
  },
})
