import type { DragEvent } from 'react'
import type { FolderItem } from './folder-changes.ts'

/** Of ours, so that nothing from elsewhere is taken for a thing of a folder. */
const MEDIA_TYPE = 'application/x-meadow-thing'

type DraggedItem = Pick<FolderItem, 'kind' | 'id'>

export function startDrag(event: DragEvent, { kind, id }: DraggedItem): void {
  event.dataTransfer.setData(MEDIA_TYPE, JSON.stringify({ kind, id }))
  event.dataTransfer.effectAllowed = 'move'
}

/** What makes an element a place to drop folders and documents on. */
export const dropTarget = (folderId: string, drop: (thing: DraggedItem) => void) => ({
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
    const thing: DraggedItem = JSON.parse(text)
    if (thing.id !== folderId) drop(thing)
  },
})
