import { useEffect, useState } from 'react'
import styles from './file-drops.module.css'

/** What a page does with dropped files. */
export type FileDropTarget =
  | {
      /** What dropping them does, shown while they are dragged over the page. */
      hint: string
      take: (files: DataTransfer) => void
    }
  | { refusal: string }

const NOWHERE: FileDropTarget = { refusal: 'Files are imported by dropping them on the page of a folder.' }

/** What the page that is open does with dropped files. */
let target: FileDropTarget = NOWHERE

/** Determines what the page does with files that are dropped anywhere on it. Other pages refuse them. */
export function useFileDrop(own: FileDropTarget): void {
  useEffect(() => {
    target = own
    return () => {
      target = NOWHERE
    }
  })
}

/**
 * Takes files that are dropped anywhere. Without it, the browser would leave the page and show or download the file.
 * `refuse` shows the reason of a page that takes none.
 */
export function FileDrops({ refuse }: { refuse: (reason: string) => void }) {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const on = (name: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      addEventListener(name, listener, { signal: stop.signal })
    on('dragover', (event) => {
      if (hasFiles(event)) {
        event.preventDefault()
        event.dataTransfer!.dropEffect = 'copy'
        setIsOver(true)
      } else if (isLinkToFollow(event)) {
        event.preventDefault()
        event.dataTransfer!.dropEffect = 'none'
      }
    })
    on('dragleave', ({ relatedTarget }) => {
      if (!relatedTarget) setIsOver(false)
    })
    on('drop', (event) => {
      setIsOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      if ('take' in target) target.take(event.dataTransfer!)
      else refuse(target.refusal)
    })
    return () => stop.abort()
  }, [refuse])
  if (!isOver) return null
  return (
    <div className={styles.hint} data-refused={'refusal' in target || undefined} role="status">
      {'take' in target ? target.hint : target.refusal}
    </div>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

const EDITABLE = 'input, textarea, [contenteditable]'

/** A link from another window would be opened in place of the page. Text fields take it as text. */
const isLinkToFollow = ({ dataTransfer, target, defaultPrevented }: DragEvent) =>
  !defaultPrevented &&
  dataTransfer!.types.includes('text/uri-list') &&
  !(target instanceof Element && target.closest(EDITABLE))
