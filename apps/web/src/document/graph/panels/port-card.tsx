import { Badge, Button, Group, Loader, Paper, Text } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import type { Node, PortReference } from '@meadow/contract'
import { readPortData } from '@meadow/contract/web'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { paletteQuery } from '../../../api/palette-query.ts'
import { count } from '../../../shell/count.ts'
import { type Observed, useObserved } from '../../live/observed.ts'
import type { PortPage } from '../../preview/preview-messages.ts'
import { formatValue } from '../../values/format-value.ts'
import { portLabel } from '../layout/node-box.ts'
import { type NodeMessage, useGraph } from '../nodes/graph-context.ts'
import { describePort } from '../properties/describe-port.ts'
import styles from './port-card.module.css'

interface PortCardProps {
  node: Node
  port: PortReference
  /** The bounding box of the port on the screen. */
  anchor: DOMRect
  onEnter: () => void
  onLeave: () => void
}

/** The name, type and data of a port, shown while the pointer is on the port or on the card. */
export function PortCard({ node, port, anchor, onEnter, onLeave }: PortCardProps) {
  const details = node.ports[port.portInstanceId]
  const isInput = Object.hasOwn(node.inputs, port.portInstanceId)
  // A finger that opened the card does not leave the port, so a tap elsewhere closes it.
  const card = useClickOutside<HTMLDivElement>(onLeave)
  const { data } = useQuery(paletteQuery)
  const kind = data?.kinds.find(({ templateId }) => templateId === node.templateId.toLowerCase())
  const description = kind && describePort(kind, node, port.portInstanceId)
  return (
    <Paper
      ref={card}
      withBorder
      shadow="md"
      className={styles.card}
      role="dialog"
      aria-label={`Port ${portLabel(node, port.portInstanceId)}`}
      style={{
        top: Math.max(8, Math.min(anchor.bottom + 6, innerHeight - 330)),
        ...(isInput
          ? { right: Math.max(8, Math.min(innerWidth - anchor.right, innerWidth - 330)) }
          : { left: Math.max(8, Math.min(anchor.left, innerWidth - 330)) }),
      }}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      <Group gap={6} mb={4}>
        <Text fw={600} size="sm">
          {details?.name}
        </Text>
        <Badge size="xs" variant="light" color="gray">
          {details?.typeName} · {details?.access}
        </Badge>
        {details?.flags.map((flag) => (
          <Badge key={flag} size="xs">
            {flag}
          </Badge>
        ))}
      </Group>
      {description && (
        <Text size="xs" mb={4}>
          {description}
        </Text>
      )}
      <PortData node={node} port={port} onLeave={onLeave} />
    </Paper>
  )
}

const STORED: Observed<number> = { read: () => 0, subscribe: () => () => {} }
/** The number of values in a page that the server sends. */
const PAGE_VALUES = 100
const EMPTY_PAGE: PortPage = {
  branches: 0,
  values: 0,
  nulls: 0,
  tree: { branches: [] },
  firstIndex: 0,
  next: null,
}

function PortData({ node, port, onLeave }: Pick<PortCardProps, 'node' | 'port' | 'onLeave'>) {
  const { documentId, messages, solution, preview, isInCluster, showValues } = useGraph()
  const previews = useObserved(preview?.count ?? STORED)
  const { nodeInstanceId, portInstanceId } = port
  const source = findDataPort(node, port)
  const summary = source && solution?.nodes[source.nodeInstanceId]?.ports[source.portInstanceId]
  const pages = useInfiniteQuery({
    queryKey: [
      readPortData.path,
      documentId,
      solution?.id,
      source?.nodeInstanceId,
      source?.portInstanceId,
      previews,
    ],
    queryFn: async ({ pageParam, signal }): Promise<PortPage> => {
      if (preview) return (await preview.readPort(source!, pageParam, PAGE_VALUES)) ?? EMPTY_PAGE
      return call(readPortData, {
        params: [documentId, solution!.id, source!.nodeInstanceId, source!.portInstanceId],
        query: { from: pageParam },
        signal,
      })
    },
    initialPageParam: 0,
    getNextPageParam: (last) => last.next,
    placeholderData: (last) => (preview ? last : undefined),
    enabled: summary !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const literals = node.values[portInstanceId]
  if (!summary && literals) return <Branches branches={literals.branches} firstIndex={0} />
  if (!source)
    return (
      <Text size="xs" c="dimmed">
        Several wires end here: hover where they come from.
      </Text>
    )
  const state = solution?.nodes[source.nodeInstanceId]?.state
  if (state === 'unsupported' || state === 'unknown')
    return (
      <Text size="xs" c="dimmed">
        Unknown: {messages.get(source.nodeInstanceId)?.find(isCause)?.message ?? 'this node is not solved'}
      </Text>
    )
  if (!summary)
    return (
      <Text size="xs" c="dimmed">
        {isInCluster
          ? 'Values inside a cluster are not stored.'
          : solution
            ? 'Nothing is known of it.'
            : 'Not solved yet.'}
      </Text>
    )
  return (
    <>
      <Text size="xs" c="dimmed">
        {count(summary.values, 'value')} in {count(summary.branches, 'branch', 'branches')}
        {summary.nulls > 0 && `, ${summary.nulls} of them null`}
        {nodeInstanceId !== source.nodeInstanceId && ', from its wire'}
      </Text>
      <div className={styles.data}>
        {pages.isPending && <Loader size="xs" aria-label="Loading" />}
        {pages.data?.pages.map((page) => (
          <Branches key={page.next ?? 'last'} branches={page.tree.branches} firstIndex={page.firstIndex} />
        ))}
        {pages.hasNextPage && (
          <Button size="compact-xs" variant="light" onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
      {showValues && summary.values > 0 && (
        <Button
          size="compact-xs"
          variant="light"
          mt={4}
          onClick={() => {
            onLeave()
            showValues(source)
          }}
        >
          Show as a table
        </Button>
      )}
    </>
  )
}

const isCause = ({ code }: NodeMessage) => code === 'unsupported' || code === 'limit' || code === 'unknown'

/** The port whose data the solution has: an input shows the data of its only wire. Undefined for several wires. */
function findDataPort(node: Node, port: PortReference): PortReference | undefined {
  const isOwn = node.instanceId === port.portInstanceId || Object.hasOwn(node.outputs, port.portInstanceId)
  if (isOwn) return port
  const sources = node.sources[port.portInstanceId] ?? []
  return sources.length > 1 ? undefined : (sources[0] ?? port)
}

function Branches({ branches, firstIndex }: { branches: PortPage['tree']['branches']; firstIndex: number }) {
  return branches.map(({ path, values }, branch) => (
    <div key={path}>
      <div className={styles.path}>{path}</div>
      {values.map((value, index) => {
        const position = (branch === 0 ? firstIndex : 0) + index
        return (
          <div key={position} className={styles.value}>
            <span className={styles.index}>{position}</span>
            {formatValue(value)}
          </div>
        )
      })}
    </div>
  ))
}
