import { type DragEvent, type ReactNode, useState } from 'react'
import styles from './drop-area.module.css'

/** Takes files that are dropped from outside the browser. */
export function DropArea({
  isOff,
  onFiles,
  className,
  children,
}: {
  isOff: boolean
  onFiles: (files: readonly File[]) => void
  className?: string | undefined
  children: ReactNode
}) {
  const [isOver, setIsOver] = useState(false)
  const accepts = (event: DragEvent) => !isOff && event.dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the upload button does the same with the keyboard.
    <div
      className={className}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!accepts(event)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={(event) => {
        if (!accepts(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {isOver && <div className={styles.hint}>Drop .gh and .ghx files here</div>}
      {children}
    </div>
  )
}
