import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './side-panel.module.css'

interface SidePanelProps {
  title: string
  closeLabel: string
  close: () => void
  /** Whether the panel covers only the lower part of the page on a phone. */
  isLow?: boolean
  children: ReactNode
}

/** A panel beside the graph and the geometry; on a phone over them. */
export function SidePanel({ title, closeLabel, close, isLow, children }: SidePanelProps) {
  return (
    <aside className={styles.panel} aria-label={title} data-low={isLow || undefined}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{title}</h2>
        <CloseButton aria-label={closeLabel} onClick={close} />
      </div>
      {children}
    </aside>
  )
}
