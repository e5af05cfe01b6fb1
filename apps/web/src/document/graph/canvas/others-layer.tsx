import type { GraphContent } from '@meadow/contract'
import { type ReactFlowState, useStore, ViewportPortal } from '@xyflow/react'
import type { LiveSession } from '../../live/live-session.ts'
import { useObserved } from '../../live/observed.ts'
import { boxOf } from '../layout/node-box.ts'
import styles from './others-layer.module.css'

const findScale = ({ transform: [, , zoom] }: ReactFlowState) => 1 / zoom

/** The cursors, selections and drags of other clients. Cursors keep their size at every zoom. */
export function OthersLayer({ live, nodes }: { live: LiveSession; nodes: GraphContent['nodes'] }) {
  const others = useObserved(live.others)
  const scale = useStore(findScale)
  return (
    <ViewportPortal>
      {[...others].map(([clientId, { user, cursor, selection, drag }]) => (
        <div
          key={clientId}
          className={styles.person}
          style={{ ['--person' as string]: user && live.colourOf(user.id), ['--scale' as string]: scale }}
          aria-hidden
        >
          {[...new Set([...(selection ?? []), ...Object.keys(drag ?? {})])].map((id) => {
            const node = nodes[id]
            if (!node) return null
            const { x, y, width, height } = boxOf(node)
            const moved = drag?.[id]
            const [left, top] = moved
              ? [x + moved.x - node.position.x, y + moved.y - node.position.y]
              : [x, y]
            return (
              <div
                key={id}
                className={styles.selected}
                data-selected-by={user?.name}
                style={{ left: left - 3, top: top - 3, width: width + 6, height: height + 6 }}
              />
            )
          })}
          {cursor && (
            <div className={styles.cursor} style={{ left: cursor.x, top: cursor.y }}>
              <svg width="14" height="18" viewBox="0 0 14 18" aria-hidden="true">
                <path d="M1 1l11 10H6.5L3.6 16.5z" fill="currentColor" stroke="#fff" />
              </svg>
              <span>{user?.name}</span>
            </div>
          )}
        </div>
      ))}
    </ViewportPortal>
  )
}
