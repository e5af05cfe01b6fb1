import { ActionIcon, Kbd, Modal, Table, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { useState } from 'react'

const SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ['Double click, / or Ctrl Space', 'Add a component: type a name, 0<5<10 for a slider, "text for a panel'],
  ['Drag on the canvas', 'Select with a box; Shift adds'],
  ['Drag with Alt', 'Put a copy there'],
  ['Right or middle button, drag', 'Move the canvas'],
  ['Wheel', 'Zoom'],
  ['Drag from a port', 'Lay a wire; Shift adds one, Ctrl takes one away'],
  ['Hover a port', 'See what it holds'],
  ['Right click', 'The menu of a node, a group or the canvas'],
  ['Tab, then Ctrl and arrow keys', 'Go to the nodes, from one to the next'],
  ['Ctrl F', 'Go to a node by its name'],
  ['Space, then arrow keys', 'Select the node, and move what is selected'],
  ['Enter', 'Edit the text, slider or list of a node'],
  ['Delete', 'Delete what is selected'],
  ['Ctrl C, Ctrl X, Ctrl V, Ctrl D', 'Copy, cut, paste, duplicate; also between documents'],
  ['Ctrl Z, Ctrl Shift Z', 'Undo and redo your own edits'],
  ['Ctrl A, Escape', 'Select everything, nothing'],
  ['Ctrl G, Ctrl Shift G', 'Group and ungroup'],
  ['Ctrl E, Ctrl Q', 'Enable or disable; show or hide the geometry'],
  ['?', 'This list'],
]

/** How the state of a node looks; colours as in `nodes.module.css`. */
const LOOKS: readonly (readonly [look: string, means: string])[] = [
  ['Red', 'An error, as Grasshopper reports it'],
  ['Orange', 'A warning'],
  ['Violet', 'Meadow cannot solve this component'],
  ['Violet stripes', 'Unknown: it depends on a component that Meadow cannot solve'],
  ['Dashed border', 'Solved, but there are no values'],
  ['Pale text', 'Disabled'],
]

/** The list of keyboard shortcuts and pointer gestures. */
export function HelpButton() {
  const [isOpen, setIsOpen] = useState(false)
  useHotkeys([['shift+?', () => setIsOpen(true)]])
  return (
    <>
      <Tooltip label="Keys and pointer">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Keys and pointer"
          onClick={() => setIsOpen(true)}
        >
          <IconKeyboard size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Keys and pointer" size="lg">
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {SHORTCUTS.map(([keys, does]) => (
              <Table.Tr key={keys}>
                <Table.Th scope="row">
                  <Kbd>{keys}</Kbd>
                </Table.Th>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
            {LOOKS.map(([look, means]) => (
              <Table.Tr key={look}>
                <Table.Th scope="row">{look}</Table.Th>
                <Table.Td>{means}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  )
}
