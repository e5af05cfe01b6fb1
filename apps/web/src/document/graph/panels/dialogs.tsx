import type { GraphContent } from '@meadow/contract'
import { shapeOf } from '../layout/node-box.ts'
import { GroupDialog } from './group-dialog.tsx'
import { SliderDialog } from './slider-dialog.tsx'
import { ValueListDialog } from './value-list-dialog.tsx'

/** The dialog of a slider, a value list or a group. Renders nothing for another id. */
export function Dialogs({
  id,
  content,
  close,
}: {
  id: string | undefined
  content: GraphContent
  close: () => void
}) {
  if (id === undefined) return null
  const node = content.nodes[id]
  const group = content.groups.find((group) => group.id === id)
  if (group) return <GroupDialog group={group} close={close} />
  if (node && shapeOf(node) === 'slider') return <SliderDialog node={node} close={close} />
  if (node && shapeOf(node) === 'valueList') return <ValueListDialog node={node} close={close} />
  return null
}
