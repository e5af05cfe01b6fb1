import { Menu } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { moveNodes } from '@meadow/document/live'
import { type Alignment, type Axis, alignNodes, distributeNodes } from '../layout/arrange.ts'
import type { Positions } from '../layout/drag.ts'
import { useGraph } from '../nodes/graph-context.ts'

const ALIGNMENTS: readonly (readonly [Alignment, label: string])[] = [
  ['left', 'Left edges'],
  ['center', 'Centres, in a column'],
  ['right', 'Right edges'],
  ['top', 'Top edges'],
  ['middle', 'Middles, in a row'],
  ['bottom', 'Bottom edges'],
]

const AXES: readonly (readonly [Axis, label: string])[] = [
  ['horizontal', 'With equal gaps, in a row'],
  ['vertical', 'With equal gaps, in a column'],
]

/** Aligns and distributes the selected nodes. Each is one step to undo. */
export function ArrangeMenu({
  content,
  ids,
  close,
}: {
  content: GraphContent
  ids: string[]
  close: () => void
}) {
  const { origin, edit } = useGraph()
  if (ids.length < 2) return null
  const arrange = (positions: Positions) => {
    close()
    if (Object.keys(positions).length > 0) edit((live) => moveNodes(live, positions, origin))
  }
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item>Align</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {ALIGNMENTS.map(([alignment, label]) => (
          <Menu.Item key={alignment} onClick={() => arrange(alignNodes(content.nodes, ids, alignment))}>
            {label}
          </Menu.Item>
        ))}
        {ids.length > 2 && <Menu.Divider />}
        {ids.length > 2 &&
          AXES.map(([axis, label]) => (
            <Menu.Item key={axis} onClick={() => arrange(distributeNodes(content.nodes, ids, axis))}>
              {label}
            </Menu.Item>
          ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
