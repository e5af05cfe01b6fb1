import { memo, useSyncExternalStore } from 'react'
import styles from './kind-icon.module.css'

type DrawIcon = typeof import('./draw-icon.tsx')['drawIcon']

let draw: DrawIcon | undefined
let isAsked = false
const listeners = new Set<() => void>()

/** Subscribes to the drawings, and loads their chunk. Without it, an icon is an empty square. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!isAsked) {
    isAsked = true
    void import('./draw-icon.tsx').then(
      ({ drawIcon }) => {
        draw = drawIcon
        for (const changed of listeners) changed()
      },
      () => {
        isAsked = false
      },
    )
  }
  return () => listeners.delete(listener)
}

interface KindIconProps {
  templateId: string
  /** The width and height in CSS pixels. */
  size?: number
}

/** The icon of a kind of node, beside its name or in place of it. */
export const KindIcon = memo(function KindIcon({ templateId, size = 18 }: KindIconProps) {
  const drawIcon = useSyncExternalStore(subscribe, () => draw)
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      {drawIcon?.(templateId)}
    </svg>
  )
})
