import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import type { GraphContent, PortReference } from '@meadow/contract'
import type { AppDocument } from '@meadow/contract/web'
import { labelOfPort } from '@meadow/document'
import { orderPins, renameNode, unpinPort } from '@meadow/document/live'
import { type DragEvent, useState } from 'react'
import { findServiceAddress } from '../../api/public-path.ts'
import { takeDrops } from '../../folders/items/drag-items.ts'
import { EMBED_SIZES, writeEmbedCode } from '../../sharing/embed-code.ts'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { CopyLine } from '../../shell/copy-line.tsx'
import {
  IconArrowDown,
  IconArrowUp,
  IconExternalLink,
  IconGripVertical,
  IconPin,
  IconX,
} from '../../shell/icons.ts'
import { type PinSide, pinUsual, togglePins } from '../graph/editing/pins.ts'
import { listUsualPorts } from '../graph/editing/player-ports.ts'
import type { LiveSession } from '../live/live-session.ts'
import { useEditor } from '../state/store.ts'
import styles from './player-panel.module.css'

/** What the player of a document shows, in which order, and its link. For editors. */
export function PlayerPanel() {
  const { document, content, selectedIds, live } = useEditor()
  if (!live) return null
  const { inputs, outputs } = content.configuration
  const selected = [...selectedIds].filter((id) => content.nodes[id])
  return (
    <Stack gap="lg" className={styles.panel}>
      <Text size="sm">
        A page with these inputs, results and the 3D view, for people who do not read graphs. What they change
        is a preview: the document stays as it is.
      </Text>
      {inputs.length + outputs.length === 0 && <NothingPinned content={content} live={live} />}
      <PinList side="inputs" title="Inputs" {...{ content, live }} />
      <PinList side="outputs" title="Results" {...{ content, live }} />
      {selected.length > 0 ? (
        <Button
          variant="default"
          leftSection={<IconPin size={16} />}
          onClick={() => togglePins(live.doc, content, selected, live.origin)}
        >
          Pin or unpin the {selected.length === 1 ? 'selected node' : `${selected.length} selected nodes`}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          To pin a node, select it and press P, or use its menu.
        </Text>
      )}
      <Links document={document} />
    </Stack>
  )
}

function NothingPinned({ content, live }: Pick<PinListProps, 'content' | 'live'>) {
  const usual = listUsualPorts(content)
  const count = usual.inputs.length + usual.outputs.length
  return (
    <Alert color="gray" title="Nothing is pinned">
      <Text size="sm">
        {count === 0
          ? 'The document has no sliders, lists, toggles or panels that feed something.'
          : 'Until you pin something, the player shows every slider, list, toggle and panel that feeds something.'}
      </Text>
      {count > 0 && (
        <Button
          size="xs"
          mt="xs"
          leftSection={<IconPin size={14} />}
          onClick={() => pinUsual(live.doc, content, live.origin)}
        >
          Pin all {count} of them
        </Button>
      )}
    </Alert>
  )
}

interface PinListProps {
  side: PinSide
  title: string
  content: GraphContent
  live: LiveSession
}

function PinList({ side, title, content, live }: PinListProps) {
  const pins = content.configuration[side]
  if (pins.length === 0) return null
  const move = (index: number, to: number) => {
    const ordered = [...pins]
    const [pin] = ordered.splice(index, 1)
    ordered.splice(to, 0, pin!)
    if (to !== index) orderPins(live.doc, side, ordered, live.origin)
  }
  return (
    <section aria-label={title}>
      <Title order={3} size="sm" mb={6}>
        {title}
      </Title>
      <Stack gap={6} component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {pins.map((pin, index) => (
          <li
            key={`${pin.nodeInstanceId} ${pin.portInstanceId}`}
            className={styles.pin}
            {...pinTarget(side, (from) => move(from, index))}
          >
            <Pin
              {...{ side, pin, pins, content, live }}
              drag={pins.length > 1 ? (event) => startPinDrag(event, side, index) : undefined}
              moveUp={index > 0 ? () => move(index, index - 1) : undefined}
              moveDown={index < pins.length - 1 ? () => move(index, index + 1) : undefined}
            />
          </li>
        ))}
      </Stack>
    </section>
  )
}

interface PinProps {
  side: PinSide
  pin: PortReference
  pins: readonly PortReference[]
  content: GraphContent
  live: LiveSession
  /** Starts to drag the pin; undefined if there is no other place for it. */
  drag: ((event: DragEvent) => void) | undefined
  moveUp: (() => void) | undefined
  moveDown: (() => void) | undefined
}

/** One pin, whose label is the name of its node. */
function Pin({ side, pin, pins, content, live, drag, moveUp, moveDown }: PinProps) {
  const node = content.nodes[pin.nodeInstanceId]
  if (!node) return null
  const label = labelOfPort(node, pin.portInstanceId, pins)
  const name = node.nickName || node.name
  return (
    <Group gap={2} wrap="nowrap">
      {drag && (
        // The buttons beside the label do the same with the keyboard.
        <span
          className={styles.handle}
          draggable
          data-handle={label}
          title="Drag to another place"
          aria-hidden
          onDragStart={drag}
        >
          <IconGripVertical size={16} />
        </span>
      )}
      <TextInput
        key={name}
        size="xs"
        flex={1}
        aria-label={`Label of ${label}`}
        title="The name of the node"
        defaultValue={name}
        onBlur={({ currentTarget: { value } }) => {
          if (value.trim() !== '' && value.trim() !== name)
            renameNode(live.doc, node.instanceId, value.trim(), live.origin)
        }}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <PinButton label={`Move ${label} up`} icon={IconArrowUp} run={moveUp} />
      <PinButton label={`Move ${label} down`} icon={IconArrowDown} run={moveDown} />
      <PinButton
        label={`Unpin ${label}`}
        icon={IconX}
        run={() => unpinPort(live.doc, side, pin, live.origin)}
      />
    </Group>
  )
}

interface PinButtonProps {
  label: string
  icon: typeof IconX
  /** Runs the action; undefined if it is not possible. */
  run: (() => void) | undefined
}

function PinButton({ label, icon: Icon, run }: PinButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={!run}
      {...(run && { onClick: run })}
    >
      <Icon size={16} />
    </ActionIcon>
  )
}

function Links({ document: { id, name, visibility } }: { document: AppDocument }) {
  const [isSharing, setIsSharing] = useState(false)
  const address = findServiceAddress()
  const link = `${address}/play/${id}`
  const code = writeEmbedCode({ address, documentId: id, panes: 'player', name, size: EMBED_SIZES.large })
  return (
    <Stack gap="xs">
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noopener"
        leftSection={<IconExternalLink size={16} />}
      >
        Open the player
      </Button>
      <Title order={3} size="sm" mt="xs">
        Link
      </Title>
      <CopyLine text={link} testId="play-link" />
      {visibility !== 'private' ? (
        <>
          <Title order={3} size="sm" mt="xs">
            Code of a frame
          </Title>
          <CopyLine text={code} testId="play-code" />
        </>
      ) : (
        <Group gap="xs">
          <Text size="sm" c="dimmed" flex={1}>
            It opens for members of the team only.
          </Text>
          <Button size="xs" variant="default" onClick={() => setIsSharing(true)}>
            Share it
          </Button>
        </Group>
      )}
      <LazyShareDialog documentId={id} name={name} isOpen={isSharing} close={() => setIsSharing(false)} />
    </Stack>
  )
}

/** Returns a media type for each list, so that pins stay in theirs and other drags are not taken for pins. */
const mediaTypeOf = (side: PinSide) => `application/x-meadow-pin-${side}`

/** Starts to drag the pin at an index. The line of the pin is the picture of the drag. */
function startPinDrag(event: DragEvent, side: PinSide, index: number): void {
  event.dataTransfer.setData(mediaTypeOf(side), String(index))
  event.dataTransfer.effectAllowed = 'move'
  const line = event.currentTarget.closest('li')
  if (line) event.dataTransfer.setDragImage(line, 8, 16)
}

/** The props of a line that takes pins of its list. `drop` gets the index where the pin was. */
const pinTarget = (side: PinSide, drop: (from: number) => void) =>
  takeDrops(mediaTypeOf(side), (text) => drop(Number(text)))
