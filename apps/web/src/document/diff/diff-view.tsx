import {
  ActionIcon,
  Badge,
  Center,
  SegmentedControl,
  Switch,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import type { Cluster, GraphContent } from '@meadow/contract'
import type { Difference, NodeName } from '@meadow/diff'
import { useEffect, useMemo, useRef, useState } from 'react'
import { NARROW, useMedia } from '../../shell/first-render.ts'
import { IconChevronDown, IconChevronUp } from '../../shell/icons.ts'
import { type OpenedCluster, openCluster } from '../cluster/open-cluster.ts'
import { listGroupBoxes } from '../graph/layout/groups.ts'
import { labelOf } from '../graph/layout/node-box.ts'
import { boundsOf, type Rectangle, unite } from '../graph/layout/rectangle.ts'
import { useLabelWithKey } from '../keys/character-keys-switch.tsx'
import { type CharacterKey, useKeys } from '../keys/use-keys.ts'
import { ChangeList } from './change-list.tsx'
import { DiffCanvas } from './diff-canvas.tsx'
import styles from './diff-view.module.css'
import { type ListedChange, listChanges } from './list-changes.ts'
import { listMarks } from './list-marks.ts'
import { type ChangeLocation, idOn, type Mark, SIDES, type Side } from './locate-change.ts'
import { SYMBOLS } from './paint-marks.ts'
import { createSyncedViews } from './synced-views.ts'

/** A document, or a state of one, that is compared with another. */
export interface ComparedDocument {
  /** The name of this state, such as the time of a version or the name of a file. */
  label: string
  content: GraphContent
  /** The contents of its clusters, by node id, where they are known. */
  clusters: Readonly<Record<string, Cluster>>
}

interface DiffViewProps extends Record<Side, ComparedDocument> {
  difference: Difference
}

const TOP: readonly NodeName[] = []

/**
 * Two graphs side by side, with what differs marked in both and listed beside them. Requests nothing: all it shows is in
 * its properties.
 */
export function DiffView({ before, after, difference }: DiffViewProps) {
  const [withLayout, setWithLayout] = useState(false)
  const changes = useMemo(() => listChanges(difference, withLayout), [difference, withLayout])
  const [chosen, setChosen] = useState<ListedChange>()
  const [clusters, setClusters] = useState(TOP)
  const isNarrow = useMedia(NARROW)
  const [shown, setShown] = useState<'list' | Side>('list')
  const [views] = useState(createSyncedViews)
  const contents = { before: openIn(before, clusters, 'before'), after: openIn(after, clusters, 'after') }
  const extent = useMemo(
    () => ({ nodes: uniteNodes(contents.before.content, contents.after.content) }),
    [contents.before.content, contents.after.content],
  )
  const marked = useMemo(() => changes.map(({ change }) => change), [changes])
  const marks = useMemo(
    () => ({ before: listMarks(marked, clusters, 'before'), after: listMarks(marked, clusters, 'after') }),
    [marked, clusters],
  )

  const choose = (change: ListedChange | undefined) => {
    if (!change) return
    setChosen({ ...change })
    setClusters(sameClusters(change.change.clusters ?? TOP, clusters))
    if (isNarrow) setShown(change.located.mark === 'removed' ? 'before' : 'after')
  }
  const current = chosen && changes.find(({ change }) => change === chosen.change)
  const step = (by: 1 | -1) => {
    const at = current ? current.index + by : by === 1 ? 0 : changes.length - 1
    choose(changes[(at + changes.length) % changes.length])
  }
  useKeys({ nextChange: () => step(1), previousChange: () => step(-1) })
  // In a dialog that was opened for it, the view takes the focus, so that its keys act at once.
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (frame.current?.closest('[role=dialog]')) frame.current.focus()
  }, [])
  // This also runs when the same change is chosen again, so that the views come back to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a choice moves the views.
  useEffect(() => {
    if (!chosen) return
    views.reveal({
      before: areaOf(contents.before.content, chosen.located.before),
      after: areaOf(contents.after.content, chosen.located.after),
    })
  }, [chosen])

  const canvasOf = (side: Side) => (
    <DiffPane
      key={clusters.map(({ instanceId }) => instanceId).join()}
      side={side}
      label={(side === 'before' ? before : after).label}
      opened={contents[side]}
      extent={extent}
      marks={marks[side]}
      chosen={current?.located[side]}
      views={views}
      onNodes={(nodeIds) => choose(findChange(changes, clusters, side, nodeIds))}
      onOpenCluster={(nodeId) =>
        setClusters([...clusters, findName(difference, side, nodeId, contents[side])])
      }
    />
  )
  const count = changes.length
  return (
    <div
      ref={frame}
      className={styles.diff}
      data-shown={isNarrow ? shown : undefined}
      data-keys="comparison"
      tabIndex={-1}
    >
      <section className={styles.side} aria-label="Changes">
        <div className={styles.bar}>
          <Totals difference={difference} />
          <span className={styles.space} />
          <Text size="xs" c="dimmed" aria-live="polite">
            {current ? `${current.index + 1} of ${count}` : ''}
          </Text>
          <StepButton
            label="Previous change"
            keyName="previousChange"
            isUp
            isOff={count === 0}
            run={() => step(-1)}
          />
          <StepButton label="Next change" keyName="nextChange" isOff={count === 0} run={() => step(1)} />
        </div>
        {difference.layout.length > 0 && (
          <Switch
            className={styles.layout}
            size="xs"
            label={`Layout, too (${difference.layout.length})`}
            checked={withLayout}
            onChange={({ currentTarget }) => setWithLayout(currentTarget.checked)}
          />
        )}
        {count === 0 && (
          <Text size="sm" p="sm" role="status">
            {difference.layout.length > 0
              ? 'Only the layout differs: nothing that is computed.'
              : 'Nothing differs.'}
          </Text>
        )}
        <ChangeList changes={changes} chosen={current} onChoose={choose} />
      </section>
      <div className={styles.graphs}>
        {clusters.length > 0 && <ClusterCrumbs clusters={clusters} onLeave={setClusters} />}
        <div className={styles.canvases}>
          {SIDES.map((side) => (
            <div
              key={side}
              className={styles.pane}
              data-side={side}
              inert={Boolean(isNarrow) && shown !== side}
            >
              {canvasOf(side)}
            </div>
          ))}
        </div>
      </div>
      {isNarrow && (
        <SegmentedControl
          className={styles.tabs}
          aria-label="What is shown"
          value={shown}
          onChange={(next) => setShown(next as 'list' | Side)}
          data={[
            { value: 'list', label: `Changes (${count})` },
            { value: 'before', label: 'Before' },
            { value: 'after', label: 'After' },
          ]}
        />
      )}
    </div>
  )
}

/** The content of a document, or of a cluster in it. */
function openIn(
  { label, content, clusters }: ComparedDocument,
  path: readonly NodeName[],
  side: Side,
): OpenedCluster {
  if (path.length === 0) return { crumbs: [], content }
  return openCluster(
    { name: label, content },
    clusters,
    path.map((cluster) => idOn(side, cluster)),
  )
}

/** Returns the last path if both are the same, so that nothing is drawn again. */
const sameClusters = (next: readonly NodeName[], last: readonly NodeName[]): readonly NodeName[] =>
  next.length === last.length && next.every((one, index) => one.instanceId === last[index]!.instanceId)
    ? last
    : next

/** Returns all nodes of both graphs, under arbitrary keys. */
function uniteNodes(one: GraphContent | undefined, other: GraphContent | undefined): GraphContent['nodes'] {
  const nodes = [one, other].flatMap((content) => Object.values(content?.nodes ?? {}))
  return Object.fromEntries(nodes.map((node, index) => [index, node]))
}

function areaOf(content: GraphContent | undefined, location: ChangeLocation): Rectangle | undefined {
  if (!content) return undefined
  const ids = [
    ...location.nodeIds,
    ...location.wires.flatMap(({ from, to }) => [from.nodeInstanceId, to.nodeInstanceId]),
  ]
  const nodes = boundsOf(ids, content.nodes)
  const groups =
    location.groupIds.length === 0
      ? []
      : listGroupBoxes(content).filter(({ group }) => location.groupIds.includes(group.id))
  return unite([...(nodes ? [nodes] : []), ...groups.map(({ box }) => box)])
}

/** The first change of one of these nodes. */
function findChange(
  changes: readonly ListedChange[],
  clusters: readonly NodeName[],
  side: Side,
  nodeIds: readonly string[],
): ListedChange | undefined {
  const path = clusters.map(({ instanceId }) => instanceId).join()
  const wanted = new Set(nodeIds)
  return changes.find(({ change, located }) => {
    const own = (change.clusters ?? []).map(({ instanceId }) => instanceId).join()
    return own === path && located[side].nodeIds.some((id) => wanted.has(id))
  })
}

/** Returns the name of a cluster with its ids in both documents, as far as the changes contain them. */
function findName(
  { changes, layout }: Difference,
  side: Side,
  nodeId: string,
  { content }: OpenedCluster,
): NodeName {
  for (const { clusters = [] } of [...changes, ...layout]) {
    const found = clusters.find((cluster) => idOn(side, cluster) === nodeId)
    if (found) return found
  }
  const { templateId = '', name = '', nickName = '' } = content?.nodes[nodeId] ?? {}
  return { instanceId: nodeId, templateId, name, nickName }
}

const WORDS: Record<Mark, string> = { added: 'added', removed: 'removed', changed: 'changed', moved: 'moved' }

/** How many changes of each mark there are. */
function Totals({ difference }: { difference: Difference }) {
  const all = useMemo(() => listChanges(difference, false), [difference])
  return (
    <ul className={styles.totals} aria-label="How many">
      {(['added', 'removed', 'changed'] as const).map((mark) => {
        const count = all.filter(({ located }) => located.mark === mark).length
        return (
          <li key={mark} title={`${count} ${WORDS[mark]}`}>
            <span className={styles.symbol} data-mark={mark} aria-hidden>
              {SYMBOLS[mark]}
            </span>
            <span aria-hidden>{count}</span>
            <VisuallyHidden component="span">{`${count} ${WORDS[mark]}`}</VisuallyHidden>
          </li>
        )
      })}
    </ul>
  )
}

interface StepButtonProps {
  label: string
  keyName: CharacterKey
  isUp?: boolean
  isOff: boolean
  run: () => void
}

function StepButton({ label, keyName, isUp = false, isOff, run }: StepButtonProps) {
  const Icon = isUp ? IconChevronUp : IconChevronDown
  return (
    <Tooltip label={useLabelWithKey(label, keyName)}>
      <ActionIcon variant="default" aria-label={label} disabled={isOff} onClick={run} data-keys="comparison">
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

interface DiffPaneProps extends Omit<Parameters<typeof DiffCanvas>[0], 'content'> {
  label: string
  opened: OpenedCluster
}

function DiffPane({ label, opened, side, ...canvas }: DiffPaneProps) {
  return (
    <section className={styles.document} aria-label={`${side === 'before' ? 'Before' : 'After'}: ${label}`}>
      <div className={styles.label}>
        <Badge size="sm" variant="light" color={side === 'before' ? 'gray' : 'meadow'} tt="none">
          {side === 'before' ? 'Before' : 'After'}
        </Badge>
        <span className={styles.labelText}>{label}</span>
      </div>
      <div className={styles.canvas}>
        {opened.content ? (
          <DiffCanvas side={side} content={opened.content} {...canvas} />
        ) : (
          <Center h="100%" p="md">
            <Text size="sm" ta="center" maw={360}>
              {opened.reason}
            </Text>
          </Center>
        )}
      </div>
    </section>
  )
}

interface ClusterCrumbsProps {
  clusters: readonly NodeName[]
  onLeave: (clusters: readonly NodeName[]) => void
}

/** The way back out of the clusters that are shown. */
function ClusterCrumbs({ clusters, onLeave }: ClusterCrumbsProps) {
  return (
    <nav className={styles.crumbs} aria-label="Clusters">
      <button type="button" className={styles.crumb} onClick={() => onLeave(TOP)}>
        Document
      </button>
      {clusters.map((cluster, index) => (
        <span key={cluster.instanceId}>
          <span aria-hidden> › </span>
          <button
            type="button"
            className={styles.crumb}
            aria-current={index === clusters.length - 1 ? 'page' : undefined}
            onClick={() => onLeave(clusters.slice(0, index + 1))}
          >
            {labelOf(cluster)}
          </button>
        </span>
      ))}
    </nav>
  )
}
