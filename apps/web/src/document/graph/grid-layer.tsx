import { ViewportPortal } from '@xyflow/react'
import styles from './graph-canvas.module.css'
import type { Cover } from './use-cover.ts'

/** Between two lines, in canvas units. */
const GAP = 100

/** The lines of the canvas. They move with what lies on it, so that nothing is painted again while it is moved. */
export function GridLayer({ cover: { area, zoom } }: { cover: Cover }) {
  const [left, top] = [Math.floor(area.left / GAP) * GAP, Math.floor(area.top / GAP) * GAP]
  return (
    <ViewportPortal>
      <div
        className={styles.grid}
        style={{
          left,
          top,
          width: area.right - left,
          height: area.bottom - top,
          backgroundSize: `${GAP}px ${GAP}px`,
          ['--line' as string]: `${1 / zoom}px`,
        }}
      />
    </ViewportPortal>
  )
}
