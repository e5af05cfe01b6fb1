import { ActionIcon, Alert, Button, Group, Loader, Switch, Text, Tooltip } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { createVersion, type DocumentVersion, type UnversionedChanges } from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { count } from '../../shell/count.ts'
import { Failure } from '../../shell/failure.tsx'
import { IconArrowsDiff, IconPinFilled, IconRestore } from '../../shell/icons.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import { OlderButton } from '../../shell/older-button.tsx'
import sideList from '../../shell/side-list.module.css'
import type { LiveSession } from '../live/live-session.ts'
import { useObserved } from '../live/observed.ts'
import { type HistoryLocation, NOW, type Restored } from '../state/history-location.ts'
import { useEditor } from '../state/store.ts'
import {
  countChanges,
  describeAuthors,
  describeKind,
  formatMoment,
  formatTime,
  groupByDay,
  labelOfVersion,
} from './describe-version.ts'
import styles from './history.module.css'
import { listRead, refreshVersions, useDifference, useVersions } from './use-versions.ts'

/** The versions of a document by day, the newest first. */
export function HistoryPanel() {
  const { document, live, mayEdit, history } = useEditor()
  const { location = {}, go, restored, setRestored } = history
  const [isNaming, setIsNaming] = useState(false)
  const [isKept, setIsKept] = useState(false)
  const queryClient = useQueryClient()
  const query = useVersions(document.id, isKept ? 'kept' : undefined)
  const versions = listRead(query.data?.pages)
  const before = new Map(versions.map(({ id }, at) => [id, versions[at + 1]]))
  const current = query.data?.pages[0]?.current ?? null
  return (
    <>
      {restored && live && <RestoredNote {...restored} live={live} close={() => setRestored(undefined)} />}
      <div className={styles.timelineTools}>
        {mayEdit && (
          <Button size="compact-sm" variant="light" onClick={() => setIsNaming(true)}>
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
        <NowItem current={current} isShown={location.versionId === undefined} onChoose={() => go({})} />
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
                  onChoose={() => go({ versionId: version.id })}
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
      <NameDialog
        title="Name the document as it is now"
        action="Save"
        isOpen={isNaming}
        close={() => setIsNaming(false)}
        save={async (name) => {
          await call(createVersion, { params: [document.id], body: { name } })
          await refreshVersions(queryClient)
        }}
      />
    </>
  )
}

interface RestoredNoteProps extends Restored {
  live: LiveSession
  close: () => void
}

/** Says that a version was restored, and offers to undo it. */
function RestoredNote({ version, undo, live, close }: RestoredNoteProps) {
  const { canRedo } = useObserved(live.status)
  // The restoring was undone, with the keys or the buttons of the header.
  if (canRedo) return null
  return (
    <Alert
      color="meadow"
      radius={0}
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={close}
      icon={<IconRestore size={18} />}
    >
      <Group gap="xs">
        <Text size="sm">
          {`The document is as it was: ${labelOfVersion(version)}. What it was before is a version.`}
        </Text>
        {undo && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              undo()
              close()
            }}
          >
            Undo
          </Button>
        )}
      </Group>
    </Alert>
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
  const { document } = useEditor()
  const { ref, inViewport } = useInViewport<HTMLLIElement>()
  const difference = useDifference(document.id, version, before, inViewport)
  const isShown = location.versionId === id
  const isOther = location.withId === id
  const who = describeAuthors(authors)
  const what = kind === 'import' && fileName ? `${describeKind(version)}: ${fileName}` : describeKind(version)
  const compareLabel = `Compare ${location.versionId ? 'the shown version' : 'the document as it is now'} with ${name ?? formatMoment(at)}`
  return (
    <li ref={ref} className={styles.row} data-compared={isOther || undefined}>
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
          {[count(nodes, 'node'), difference].filter(Boolean).join(' · ')}
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
