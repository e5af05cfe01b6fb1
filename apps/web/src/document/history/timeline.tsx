import { ActionIcon, Button, CloseButton, Loader, Switch, Text, Tooltip } from '@mantine/core'
import type { AppDocument, DocumentVersion, UnversionedChanges } from '@meadow/contract/web'
import { useState } from 'react'
import { Failure } from '../../shell/failure.tsx'
import { IconArrowsDiff, IconPinFilled } from '../../shell/icons.ts'
import { OlderButton } from '../../shell/older-button.tsx'
import sideList from '../../shell/side-list.module.css'
import { type HistoryLocation, NOW } from '../state/history-location.ts'
import {
  countChanges,
  describeAuthors,
  describeChanges,
  describeKind,
  formatMoment,
  formatTime,
  groupByDay,
} from './describe-version.ts'
import styles from './history.module.css'
import { listRead, useVersions } from './use-versions.ts'

interface TimelineProps {
  document: AppDocument
  location: HistoryLocation
  go: (location: HistoryLocation | undefined) => void
  /** Names the document as it is now. Undefined for viewers. */
  onKeep: (() => void) | undefined
}

/** The versions of a document by day, the newest first. */
export function Timeline({ document, location, go, onKeep }: TimelineProps) {
  const [isKept, setIsKept] = useState(false)
  const query = useVersions(document.id, isKept ? 'kept' : undefined)
  const versions = listRead(query.data?.pages)
  const before = new Map(versions.map(({ id }, at) => [id, versions[at + 1]]))
  const current = query.data?.pages[0]?.current ?? null
  const choose = (versionId: string | undefined) => go(versionId === undefined ? {} : { versionId })
  return (
    <aside className={styles.timeline} aria-label="History">
      <div className={styles.timelineHead}>
        <h2 className={styles.heading}>History</h2>
        <CloseButton aria-label="Close the history" onClick={() => go(undefined)} />
      </div>
      <div className={styles.timelineTools}>
        {onKeep && (
          <Button size="compact-sm" variant="light" onClick={onKeep}>
            Name this state
          </Button>
        )}
        <Switch
          size="xs"
          label="Named and pinned only"
          checked={isKept}
          onChange={({ currentTarget }) => setIsKept(currentTarget.checked)}
        />
      </div>
      <div className={styles.versions}>
        <NowItem
          current={current}
          isShown={location.versionId === undefined}
          onChoose={() => choose(undefined)}
        />
        {query.isPending && <Loader aria-label="Loading" m="md" />}
        {query.isLoadingError && <Failure error={query.error} retry={query.refetch} />}
        {query.isSuccess && versions.length === 0 && (
          <Text size="sm" c="dimmed" p="sm" role="status">
            {isKept
              ? 'No version is named or pinned.'
              : 'There are no versions yet. They are kept when editing pauses, before and after imports, and when you name one.'}
          </Text>
        )}
        {groupByDay(versions).map(({ day, versions }) => (
          <section key={day} aria-labelledby={`day-${versions[0]!.id}`}>
            <h3 className={`${sideList.heading} ${styles.day}`} id={`day-${versions[0]!.id}`}>
              {day}
            </h3>
            <ul className={sideList.items}>
              {versions.map((version) => (
                <VersionItem
                  key={version.id}
                  version={version}
                  // The list of named and pinned versions leaves out others, so the version before is not known.
                  before={isKept ? undefined : before.get(version.id)}
                  location={location}
                  onChoose={() => choose(version.id)}
                  onCompare={() =>
                    go({
                      versionId: location.versionId ?? version.id,
                      withId: location.versionId ? version.id : NOW,
                    })
                  }
                />
              ))}
            </ul>
          </section>
        ))}
        <OlderButton pages={query} size="compact-sm" m="sm">
          Show older versions
        </OlderButton>
      </div>
    </aside>
  )
}

interface NowItemProps {
  current: UnversionedChanges | null
  isShown: boolean
  onChoose: () => void
}

function NowItem({ current, isShown, onChoose }: NowItemProps) {
  const changes = current ? countChanges(current.authors) : 0
  const authors = current ? describeAuthors(current.authors) : ''
  return (
    <button
      type="button"
      className={`${sideList.item} ${styles.version}`}
      aria-current={isShown || undefined}
      onClick={onChoose}
    >
      <span className={styles.versionName}>Now</span>
      <span className={styles.versionText}>
        {current === null
          ? 'As in the newest version'
          : [
              changes === 0
                ? 'Changed since the newest version'
                : `${changes === 1 ? 'One change' : `${changes} changes`} since the newest version`,
              authors,
            ]
              .filter(Boolean)
              .join(' · ')}
      </span>
    </button>
  )
}

interface VersionItemProps {
  version: DocumentVersion
  /** The version before it; undefined when it is not on the list. */
  before: DocumentVersion | undefined
  location: HistoryLocation
  onChoose: () => void
  onCompare: () => void
}

function VersionItem({ version, before, location, onChoose, onCompare }: VersionItemProps) {
  const { id, at, name, isPinned, authors, kind, nodes, fileName } = version
  const isShown = location.versionId === id
  const isOther = location.withId === id
  const who = describeAuthors(authors)
  const what = kind === 'import' && fileName ? `${describeKind(version)}: ${fileName}` : describeKind(version)
  const compareLabel = `Compare ${location.versionId ? 'the shown version' : 'the document as it is now'} with ${name ?? formatMoment(at)}`
  return (
    <li className={styles.row} data-compared={isOther || undefined}>
      <button
        type="button"
        className={`${sideList.item} ${styles.version}`}
        aria-current={isShown || undefined}
        onClick={onChoose}
      >
        <span className={styles.versionName}>
          {isPinned && <IconPinFilled size={13} role="img" aria-label="Pinned" />}
          {name ?? <time dateTime={at}>{formatTime(at)}</time>}
        </span>
        <span className={styles.versionText}>
          {[...(name === null ? [] : [formatTime(at)]), what, who].filter(Boolean).join(' · ')}
        </span>
        <span className={styles.versionText}>
          {[nodes === 1 ? '1 node' : `${nodes} nodes`, describeChanges(version, before)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      {!isShown && (
        <Tooltip label={location.versionId ? 'Compare with the shown version' : 'Compare with now'}>
          <ActionIcon
            className={styles.compare}
            variant={isOther ? 'light' : 'subtle'}
            color={isOther ? 'meadow' : 'gray'}
            aria-label={compareLabel}
            aria-pressed={isOther}
            onClick={onCompare}
          >
            <IconArrowsDiff size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}
