import { ViewportPortal } from '@xyflow/react'
import { memo } from 'react'
import type { Drag } from '../layout/drag.ts'
import type { GroupBox } from '../layout/groups.ts'
import { touches } from '../layout/rectangle.ts'
import styles from './graph-canvas.module.css'
import type { RenderedView } from './viewport.ts'

interface GroupLabelsProps {
  groups: readonly GroupBox[]
  view: RenderedView
  drag: Drag | undefined
}

/** The least height of a label that is shown, in CSS pixels. */
const MIN_SIZE = 6
/** The usual size of labels, in canvas units. */
const USUAL_SIZE = 13
/** The size of labels of large groups when the view is zoomed out, in CSS pixels. */
const FAR_SIZE = 11
const CHARACTER = 0.55

/** The labels of the groups that are rendered. Far away, those of large groups stay readable. */
export const GroupLabels = memo(function GroupLabels({ groups, view, drag }: GroupLabelsProps) {
  const visible = groups.flatMap((group) => {
    const size = group.group.label === '' ? 0 : sizeOfLabel(group, view.zoom)
    return size * view.zoom >= MIN_SIZE && touches(group.box, view.area) ? [{ ...group, size }] : []
  })
  return (
    <ViewportPortal>
      {visible.map(({ group, members, box, size }) => {
        const isDragged = drag && members.every((id) => drag.ids.has(id))
        return (
          <span
            key={group.id}
            className={styles.label}
            data-group={group.id}
            style={{
              left: box.left,
              top: box.top,
              fontSize: size,
              ...(isDragged && { translate: `${drag.x}px ${drag.y}px` }),
            }}
          >
            {group.label}
          </span>
        )
      })}
    </ViewportPortal>
  )
})

/** Returns the size of a label in canvas units: large enough to be read, unless the group is too small for that. */
function sizeOfLabel({ group: { label }, box }: GroupBox, zoom: number): number {
  const widest = (box.right - box.left) / (CHARACTER * label.length)
  return Math.max(USUAL_SIZE, Math.min(FAR_SIZE / zoom, widest, (box.bottom - box.top) / 3))
}
