import type { DragEvent } from 'react'
import type { FolderItem } from './folder-changes.ts'

/** A type of our own, so that other drags are not taken for folder items. */
const MEDIA_TYPE = 'application/x-meadow-thing'

type DraggedItem = Pick<FolderItem, 'kind' | 'id'>

export function startDrag(event: DragEvent, { kind, id }: DraggedItem): void {
  event.dataTransfer.setData(MEDIA_TYPE, JSON.stringify({ kind, id }))
  event.dataTransfer.effectAllowed = 'move'
}

/** The props of an element that takes dropped folders and documents. */
export const dropTarget = (folderId: string, drop: (item: DraggedItem) => void) => ({
  onDragOver(event: DragEvent) {
    if (!event.dataTransfer.types.includes(MEDIA_TYPE)) return
    event.preventDefault()
    event.currentTarget.setAttribute('data-drop', '')
  },
  onDragLeave: (event: DragEvent) => event.currentTarget.removeAttribute('data-drop'),
  onDrop(event: DragEvent) {
    event.currentTarget.removeAttribute('data-drop')
    const text = event.dataTransfer.getData(MEDIA_TYPE)
    if (!text) return
    event.preventDefault()
    const item: DraggedItem = JSON.parse(text)
    if (item.id !== folderId) drop(item)
  },
})
