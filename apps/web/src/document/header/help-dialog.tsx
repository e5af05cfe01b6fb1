import { Kbd, SimpleGrid, Table, Text, Title } from '@mantine/core'
import { Dialog } from '../../shell/dialog.tsx'
import { useMedia } from '../../shell/first-render.ts'

import { CharacterKeysSwitch } from '../keys/character-keys-switch.tsx'
import { CHARACTER_KEYS, type CharacterKey, writeKey } from '../keys/use-keys.ts'

type Line = readonly [what: string, does: string]

const POINTER: readonly Line[] = [
  ['Double-click', 'Add a component: type a name, 0<5<10 for a slider, "text for a panel'],
  [
    'Drag',
    'A box to the right selects what it contains, to the left what it touches; Shift adds, Ctrl removes',
  ],
  ['Drag with Alt', 'Drop copies of the selected nodes'],
  ['Right or middle button, or Space, and drag', 'Move the canvas'],
  ['Wheel', 'Zoom'],
  ['Drag from a port', 'Draw a wire; Shift adds it to the others, Ctrl removes it'],
  ['Hover over a port', 'See its data'],
  ['Hover over a node', 'See what it does'],
  ['Drag from the components', 'Place it; with Alt on a node, replace the node'],
  ['Double-click a cluster or script', 'See what is inside'],
  ['Right-click', 'The menu of a node, a group or the canvas'],
]

const TOUCH: readonly Line[] = [
  ['Drag with one finger', 'Move the canvas, or the selected nodes under the finger'],
  ['Two fingers', 'Move and zoom the canvas'],
  ['Tap', 'Select a node; tap a port, then another one, to connect them'],
  ['Double-tap', 'Add a component'],
  ['Touch and hold', 'The menu of a node, a group or the canvas'],
]

const KEYS: readonly Line[] = [
  ['Ctrl Space', 'Add a component'],
  ['Ctrl B', 'Show or hide all components'],
  ['Ctrl F', 'Search in the graph: by name, component, text or value'],
  ['Tab, then Ctrl arrow', 'Go to the nodes, from one to the next'],
  ['Space, then arrows', 'Select the node, then move the selected nodes'],
  ['Arrows, Shift arrows', 'Move the selected nodes a little, or more'],
  ['Enter', 'Edit the text, slider or list of a node, open a cluster, or see the properties of others'],
  ['Ctrl I', 'See the properties of the selected node'],
  ['Escape, in a cluster', 'Go back to the graph around it'],
  ['Escape, in a panel at the side', 'Close it, and go on where it was opened'],
  ['Delete', 'Delete the selected nodes and wires'],
  ['Ctrl C, X, V', 'Copy, cut and paste, also between documents'],
  ['Ctrl D', 'Duplicate'],
  ['Ctrl Z, Ctrl Shift Z', 'Undo and redo your own edits'],
  ['Ctrl A, Escape', 'Select all nodes, or none'],
  ['Ctrl G, Ctrl Shift G', 'Group and ungroup'],
  ['Ctrl E', 'Enable or disable'],
  ['Ctrl Q', 'Show or hide the geometry'],
]

/** What each shortcut of one character does. */
const SINGLE_KEYS: Record<CharacterKey, string> = {
  addNode: 'Add a component',
  pin: 'Pin the selected nodes to the player, or unpin them',
  comment: 'Comment: click a node, a group or the geometry',
  views: 'Show or hide the named views: arrows and Enter go to one, F2 renames, Delete deletes',
  help: 'This help',
  nextChange: 'Go to the next change',
  previousChange: 'Go to the previous change',
  fit: 'Fit the view',
  hide: 'Hide the selected objects',
  isolate: 'Show only the selected objects',
  showAll: 'Show all objects',
  section: 'Cut with a section plane',
  colour: 'Colour by data',
  measure: 'Measure',
  parallel: 'Parallel or perspective',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  perspective: 'Perspective',
  top: 'Look from the top',
  front: 'Look from the front',
  right: 'Look from the right',
  back: 'Look from the back',
  left: 'Look from the left',
  bottom: 'Look from below',
}

/** The shortcuts of one character that act in an area before all others. */
const singleKeysOf = (area: 'graph' | 'model' | 'comparison'): Line[] =>
  (Object.keys(SINGLE_KEYS) as CharacterKey[])
    .filter((name) => CHARACTER_KEYS[name].in[0] === area)
    .map((name) => [writeKey(name), SINGLE_KEYS[name]])

/** How the state of a node looks; colours as in `nodes.module.css`. */
const LOOKS: readonly Line[] = [
  ['Red', 'An error, as Grasshopper reports it'],
  ['Orange', 'A warning'],
  ['Violet', 'Meadow cannot solve this component'],
  ['Violet stripes', 'Unknown: it depends on a component that Meadow cannot solve'],
  ['Dashed border', 'Solved, but there are no values'],
  ['Pale text', 'Disabled'],
]

/** The keyboard shortcuts, the gestures, and what the colours of nodes mean. */
export function HelpDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  // A device without a mouse may have no keyboard either.
  const isTouch = useMedia('(pointer: coarse)')
  return (
    <Dialog opened={isOpen} onClose={close} title="Keys and gestures" size="62rem">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <div>
          <Section title={isTouch ? 'Touch' : 'Mouse'} lines={isTouch ? TOUCH : POINTER} />
          <Section title="Nodes" lines={LOOKS} />
          <Section title="Single keys in the 3D view" lines={singleKeysOf('model')} isKeys />
          <Section title="Single keys in a comparison" lines={singleKeysOf('comparison')} isKeys />
        </div>
        <div>
          <Section title="Keyboard" lines={KEYS} isKeys />
          <Section title="Single keys" lines={singleKeysOf('graph')} isKeys />
          <CharacterKeysSwitch />
          <Text size="xs" c="dimmed" mt={4} mb="md">
            Single keys act while the graph, the 3D view or the comparison has the focus, those of the 3D view
            there alone. Your account page has the same switch.
          </Text>
          {!isTouch && <Section title="Touch" lines={TOUCH} />}
        </div>
      </SimpleGrid>
    </Dialog>
  )
}

interface SectionProps {
  title: string
  lines: readonly Line[]
  isKeys?: boolean
}

function Section({ title, lines, isKeys = false }: SectionProps) {
  return (
    <section>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Table verticalSpacing={3} horizontalSpacing={6} mb="md" aria-label={title}>
        <Table.Tbody>
          {lines.map(([what, does]) => (
            <Table.Tr key={what}>
              <Table.Th scope="row" fw={500} w="42%">
                {isKeys ? <Kbd>{what}</Kbd> : what}
              </Table.Th>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
