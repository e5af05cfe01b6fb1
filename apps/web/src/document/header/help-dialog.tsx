import { Kbd, SimpleGrid, Table, Text, Title } from '@mantine/core'
import { Dialog } from '../../shell/dialog.tsx'
import { useMedia } from '../../shell/first-render.ts'
import { CharacterKeysSwitch } from '../keys/character-keys-switch.tsx'
import { CHARACTER_KEYS, type CharacterKey, COMMANDS, writeCommand, writeKey } from '../keys/use-keys.ts'

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

/** The shortcuts of one character that act in an area before all others. */
const singleKeysOf = (area: 'graph' | 'model' | 'comparison'): Line[] =>
  (Object.keys(CHARACTER_KEYS) as CharacterKey[])
    .filter((name) => CHARACTER_KEYS[name].in[0] === area)
    .map((name) => [writeKey(name), CHARACTER_KEYS[name].does])

const KEYS = Object.values(COMMANDS).map((command): Line => [writeCommand(command), command.does])

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
