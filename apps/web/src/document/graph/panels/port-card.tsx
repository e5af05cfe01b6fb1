import { Badge, Button, Group, Loader, Paper, Text } from '@mantine/core'
import type { Node, PortReference } from '@meadow/contract'
import { type AppResponse, readPortData } from '@meadow/contract/web'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { portLabel } from '../layout/node-box.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { formatValue } from '../nodes/node-values.ts'
import styles from './port-card.module.css'

interface PortCardProps {
  node: Node
  port: PortReference
  /** The port on the screen. */
  anchor: DOMRect
  onEnter: () => void
  onLeave: () => void
}

/** What a port is, and what it holds, branch by branch. */
export function PortCard({ node, port, anchor, onEnter, onLeave }: PortCardProps) {
  const facts = node.ports[port.portInstanceId]
  const isInput = Object.hasOwn(node.inputs, port.portInstanceId)
  return (
    <Paper
      withBorder
      shadow="md"
      className={styles.card}
      role="dialog"
      aria-label={`Port ${portLabel(node, port.portInstanceId)}`}
      style={{
        top: Math.max(8, Math.min(anchor.bottom + 6, innerHeight - 330)),
        ...(isInput
          ? { right: Math.max(8, innerWidth - anchor.right) }
          : { left: Math.min(anchor.left, innerWidth - 330) }),
      }}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      <Group gap={6} mb={4}>
        <Text fw={600} size="sm">
          {facts?.name}
        </Text>
        <Badge size="xs" variant="light" color="gray">
          {facts?.typeName} · {facts?.access}
        </Badge>
        {facts?.flags.map((flag) => (
          <Badge key={flag} size="xs">
            {flag}
          </Badge>
        ))}
      </Group>
      <PortData node={node} port={port} />
    </Paper>
  )
}

function PortData({ node, port }: { node: Node; port: PortReference }) {
  const { documentId, solution } = useGraph()
  const { nodeInstanceId, portInstanceId } = port
  const held = findHeld(node, port)
  const summary = held && solution?.nodes[held.nodeInstanceId]?.ports[held.portInstanceId]
  const pages = useInfiniteQuery({
    queryKey: [readPortData.name, documentId, solution?.id, held?.nodeInstanceId, held?.portInstanceId],
    queryFn: ({ pageParam, signal }) =>
      call(readPortData, {
        params: [documentId, solution!.id, held!.nodeInstanceId, held!.portInstanceId],
        query: { from: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last: AppResponse<typeof readPortData>) => last.next,
    enabled: summary !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const typedIn = node.values[portInstanceId]
  if (!summary && typedIn) return <Branches branches={typedIn.branches} firstIndex={0} />
  if (!held)
    return (
      <Text size="xs" c="dimmed">
        Several wires end here: hover where they come from.
      </Text>
    )
  if (!summary)
    return (
      <Text size="xs" c="dimmed">
        {solution ? 'Nothing is known of it.' : 'Not solved yet.'}
      </Text>
    )
  return (
    <>
      <Text size="xs" c="dimmed">
        {count(summary.values, 'value')} in {count(summary.branches, 'branch', 'branches')}
        {summary.nulls > 0 && `, ${summary.nulls} of them null`}
        {nodeInstanceId !== held.nodeInstanceId && ', from its wire'}
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
    </>
  )
}

/** The solution tells of outputs: an input holds what its one wire brings. */
function findHeld(node: Node, port: PortReference): PortReference | undefined {
  const isOwn = node.instanceId === port.portInstanceId || Object.hasOwn(node.outputs, port.portInstanceId)
  if (isOwn) return port
  const sources = node.sources[port.portInstanceId] ?? []
  return sources.length > 1 ? undefined : (sources[0] ?? port)
}

function Branches({
  branches,
  firstIndex,
}: {
  branches: AppResponse<typeof readPortData>['tree']['branches']
  firstIndex: number
}) {
  return branches.map(({ path, values }, number) => (
    <div key={path}>
      <div className={styles.path}>{path}</div>
      {values.map((value, index) => {
        const place = (number === 0 ? firstIndex : 0) + index
        return (
          <div key={place} className={styles.value}>
            <span className={styles.index}>{place}</span>
            {formatValue(value)}
          </div>
        )
      })}
    </div>
  ))
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`

/** Shown after a moment, so that nothing flickers on the way; gone after one, so that it can be reached. */
const SHOW_MS = 350
const HIDE_MS = 200

export interface Hover<T> {
  shown: T | undefined
  show: (value: T) => void
  hide: () => void
  /** The pointer is on what is shown. */
  keep: () => void
}

/** What belongs to the place under the pointer. */
export function useHover<T>(): Hover<T> {
  const [shown, setShown] = useState<T>()
  const timer = useRef<number>(undefined)
  const later = useCallback((value: T | undefined, ms: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setShown(value), ms)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    shown,
    show: useCallback((value: T) => later(value, SHOW_MS), [later]),
    hide: useCallback(() => later(undefined, HIDE_MS), [later]),
    keep: useCallback(() => clearTimeout(timer.current), []),
  }
}
