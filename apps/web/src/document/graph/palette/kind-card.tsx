import { Badge, Group, Paper, Text } from '@mantine/core'
import type { DataValue } from '@meadow/document'
import { type PaletteKind, type PalettePort, useItemPorts } from '../../../api/palette-query.ts'
import { FileIcon } from '../../../folders/items/file-icon.tsx'
import { formatValue } from '../../values/format-value.ts'
import { KindIcon } from '../icons/kind-icon.tsx'
import styles from '../panels/card.module.css'

interface KindCardProps {
  id: string
  kind: PaletteKind
  /** The entry that it explains. */
  anchor: DOMRect
}

/** What a kind does, and its ports, beside the entry that the pointer or the focus is on. */
export function KindCard({ id, kind, anchor }: KindCardProps) {
  const isBelow = innerWidth < NARROW
  const ports = useItemPorts(kind) ?? kind
  return (
    <Paper
      id={id}
      role="tooltip"
      withBorder
      shadow="md"
      className={styles.card}
      style={
        isBelow
          ? { left: 8, bottom: innerHeight - anchor.top + 6 }
          : { left: anchor.right + 10, top: Math.max(8, Math.min(anchor.top - 10, innerHeight - HEIGHT)) }
      }
    >
      <Group gap={8} wrap="nowrap" mb={4}>
        <EntryIcon kind={kind} size={24} />
        <Text fw={600} size="sm">
          {kind.name}
        </Text>
        {kind.nickName !== kind.name && (
          <Text size="xs" c="dimmed">
            {kind.nickName}
          </Text>
        )}
      </Group>
      <Text size="sm">{kind.description}</Text>
      <NotSolved kind={kind} />
      {kind.item && (
        <Text size="xs" c="dimmed">
          From the file {kind.item.fileName}
        </Text>
      )}
      <PortList title="Inputs" ports={ports.inputs} />
      <PortList title="Outputs" ports={ports.outputs} />
    </Paper>
  )
}

interface EntryIconProps {
  kind: PaletteKind
  /** The width and height in CSS pixels. */
  size?: number
}

/** The icon of a kind, or that of the file of a library item. */
export function EntryIcon({ kind: { templateId, item }, size = 18 }: EntryIconProps) {
  if (!item) return <KindIcon templateId={templateId} size={size} />
  return <FileIcon file={{ id: item.fileId, kind: item.kind, hasThumbnail: item.hasIcon }} />
}

/** Says that a kind does not compute. */
export function NotSolved({ kind }: { kind: Pick<PaletteKind, 'unsolved'> }) {
  if (kind.unsolved === null) return null
  return (
    <Text size="xs" className={styles.unsolved}>
      Meadow does not solve it. {kind.unsolved}. What depends on it is unknown.
    </Text>
  )
}

const ACCESS = { item: '', list: ', a list', tree: ', a tree' }

interface PortListProps {
  title: string
  ports: readonly PalettePort[]
}

function PortList({ title, ports }: PortListProps) {
  if (ports.length === 0) return null
  return (
    <>
      <div className={styles.side}>{title}</div>
      <dl className={styles.ports} aria-label={title}>
        {ports.map(({ name, nickName, type, access, isOptional, isRepeated, defaults, description }) => {
          return (
            <div key={name}>
              <dt>
                {name}
                {nickName !== name && <span> {nickName}</span>}
                <Badge size="xs" variant="light" color="gray" tt="none">
                  {type}
                  {ACCESS[access]}
                </Badge>
                {isRepeated && <span>more can be added</span>}
              </dt>
              <dd>
                {description}
                {defaults.length > 0 && ` By default ${defaults.map(formatDefault).join(', ')}.`}
                {defaults.length === 0 && isOptional && !isRepeated && ' Optional.'}
              </dd>
            </div>
          )
        })}
      </dl>
    </>
  )
}

function formatDefault(value: DataValue): string {
  if (value.type === 'plane') return value.value.xAxis[0] === 1 ? 'the XY plane' : 'the YZ plane'
  if (value.type === 'domain') return `${value.value.start} to ${value.value.end}`
  return formatValue(value)
}

/**
 * The width below which windows have the palette at the bottom, and the approximate height of a card, in CSS pixels.
 */
const NARROW = 768
const HEIGHT = 380
