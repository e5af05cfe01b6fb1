import { Alert, Badge, Button, Center, Group, Loader, Text } from '@mantine/core'
import { createVersion, type DocumentVersion } from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { Failure } from '../../shell/failure.tsx'
import { IconArrowLeft, IconArrowsDiff, IconHistory, IconRestore } from '../../shell/icons.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import type { LiveSession } from '../live/live-session.ts'
import { useObserved } from '../live/observed.ts'
import { type HistoryLocation, NOW } from '../state/history-location.ts'
import { useEditor } from '../state/store.ts'
import { describeAuthors, formatMoment, labelOfVersion } from './describe-version.ts'
import styles from './history.module.css'
import { Timeline } from './timeline.tsx'
import { type Restored, useRestore } from './use-restore.ts'
import { refreshVersions, useVersion } from './use-versions.ts'
import { VersionActions } from './version-actions.tsx'
import { type ComparedState, VersionCompare } from './version-compare.tsx'
import { VersionView } from './version-view.tsx'

interface HistoryPaneProps {
  location: HistoryLocation
  /** The document as it is now. */
  children: ReactNode
}

/** The versions of a document beside what is shown: the document as it is now, a version, or what differs between two. */
export function HistoryPane({ location, children }: HistoryPaneProps) {
  const { document, live, mayEdit, isNarrow, history } = useEditor()
  const { go } = history
  const [isNaming, setIsNaming] = useState(false)
  const [restored, setRestored] = useState<Restored>()
  const queryClient = useQueryClient()
  const restore = useRestore(document.id, live, (next) => {
    setRestored(next)
    go({})
  })
  const { versionId } = location
  // On a phone, the list covers the document, and a version covers the list.
  const hasList = !isNarrow || versionId === undefined
  return (
    <div className={styles.history} data-narrow={isNarrow || undefined}>
      {!(isNarrow && hasList) && (
        <div className={styles.main}>
          {versionId === undefined ? (
            <>
              {restored && live && (
                <RestoredNote {...restored} live={live} close={() => setRestored(undefined)} />
              )}
              <div className={styles.shown}>{children}</div>
            </>
          ) : (
            <ShownVersion
              key={versionId}
              location={location}
              versionId={versionId}
              restore={mayEdit ? restore : undefined}
            />
          )}
        </div>
      )}
      {hasList && (
        <div className={styles.aside}>
          {isNarrow && restored && live && (
            <RestoredNote {...restored} live={live} close={() => setRestored(undefined)} />
          )}
          <Timeline
            document={document}
            location={location}
            go={go}
            onKeep={mayEdit ? () => setIsNaming(true) : undefined}
          />
        </div>
      )}
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
    </div>
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

interface ShownVersionProps {
  location: HistoryLocation
  versionId: string
  restore: ReturnType<typeof useRestore> | undefined
}

function ShownVersion({ location, versionId, restore }: ShownVersionProps) {
  const { document, mayEdit, content, stored, isNarrow, history } = useEditor()
  const { go } = history
  const query = useVersion(document.id, versionId)
  const other = useVersion(document.id, location.withId)
  const isCompared = location.withId !== undefined
  const error = query.error ?? other.error
  const version = query.data?.version
  const withVersion = other.data?.version
  const back = isNarrow && (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<IconArrowLeft size={14} />}
      onClick={() => go({})}
    >
      Versions
    </Button>
  )
  if (error)
    return (
      <>
        {back}
        <Failure
          error={error}
          retry={() => {
            void query.refetch()
            void other.refetch()
          }}
        />
      </>
    )
  if (!version || (isCompared && location.withId !== NOW && !withVersion))
    return (
      <Center h="100%">
        <Loader aria-label="Loading the version" />
      </Center>
    )
  const states = isCompared ? inOrder(version, withVersion) : undefined
  return (
    <>
      <div className={styles.versionBar} role="status" data-compared={isCompared || undefined}>
        {back}
        <Badge
          color={isCompared ? 'blue' : 'orange'}
          variant="light"
          tt="none"
          leftSection={isCompared ? <IconArrowsDiff size={12} /> : <IconHistory size={12} />}
        >
          {isCompared ? 'Comparison' : 'Past version'}
        </Badge>
        <div className={styles.versionTitle}>
          {states ? `${states.before.label} → ${states.after.label}` : <TitleOf version={version} />}
        </div>
        <Group gap={6} wrap="nowrap">
          {isCompared ? (
            <Button size="compact-sm" variant="default" onClick={() => go({ versionId })}>
              End the comparison
            </Button>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconArrowsDiff size={14} />}
              onClick={() => go({ versionId, withId: NOW })}
            >
              Compare with now
            </Button>
          )}
          {restore && !isCompared && (
            <Button
              size="compact-sm"
              leftSection={<IconRestore size={14} />}
              loading={restore.isPending}
              onClick={() => restore.mutate(version)}
            >
              Restore
            </Button>
          )}
          {!isCompared && (
            <VersionActions
              document={document}
              version={version}
              mayEdit={mayEdit}
              onDeleted={() => go({})}
            />
          )}
        </Group>
      </div>
      <div className={styles.shown}>
        {states ? (
          <VersionCompare
            key={`${states.before.version?.id} ${states.after.version?.id}`}
            document={document}
            {...states}
            live={content}
            solution={stored}
          />
        ) : (
          <VersionView document={document} version={version} live={content} />
        )}
      </div>
    </>
  )
}

function TitleOf({ version }: { version: DocumentVersion }) {
  const { name, at, authors } = version
  const who = describeAuthors(authors)
  return (
    <>
      {name !== null && <strong>{name} · </strong>}
      <time dateTime={at}>{formatMoment(at)}</time>
      {who && ` · ${who}`}
    </>
  )
}

/** Returns two states, the older one first. Without another version, the newer one is the document as it is now. */
function inOrder(
  version: DocumentVersion,
  other: DocumentVersion | undefined,
): { before: ComparedState; after: ComparedState } {
  const toState = (one: DocumentVersion): ComparedState => ({ label: labelOfVersion(one), version: one })
  if (!other) return { before: toState(version), after: { label: 'As it is now', version: undefined } }
  const [before, after] = version.seq <= other.seq ? [version, other] : [other, version]
  return { before: toState(before), after: toState(after) }
}
