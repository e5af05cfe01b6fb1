import { Badge, Button, Center, Group, Loader } from '@mantine/core'
import type { DocumentVersion } from '@meadow/contract/web'
import { Failure } from '../../shell/failure.tsx'
import { IconArrowsDiff, IconHistory, IconRestore } from '../../shell/icons.ts'
import { NOW } from '../state/history-location.ts'
import { useEditor } from '../state/store.ts'
import { describeAuthors, formatMoment, labelOfVersion } from './describe-version.ts'
import styles from './history.module.css'
import { useRestore } from './use-restore.ts'
import { useVersion } from './use-versions.ts'
import { VersionActions } from './version-actions.tsx'
import { type ComparedState, VersionCompare } from './version-compare.tsx'
import { VersionView } from './version-view.tsx'

interface ShownVersionProps {
  versionId: string
  /** What the version is compared with: another one, or the document as it is now. */
  withId: string | undefined
}

/** A version of the document, or what differs between two, in place of the document as it is now. */
export function ShownVersion({ versionId, withId }: ShownVersionProps) {
  const { document, live, mayEdit, content, stored, history } = useEditor()
  const { go, setRestored } = history
  const restore = useRestore(document.id, live, (restored) => {
    go({})
    setRestored(restored)
  })
  const query = useVersion(document.id, versionId)
  const other = useVersion(document.id, withId)
  const isCompared = withId !== undefined
  const error = query.error ?? other.error
  const version = query.data?.version
  const withVersion = other.data?.version
  if (error)
    return (
      <Failure
        error={error}
        retry={() => {
          void query.refetch()
          void other.refetch()
        }}
      />
    )
  if (!version || (isCompared && withId !== NOW && !withVersion))
    return (
      <Center h="100%">
        <Loader aria-label="Loading the version" />
      </Center>
    )
  const states = isCompared ? inOrder(version, withVersion) : undefined
  return (
    <div className={styles.shownVersion}>
      <div className={styles.versionBar} role="status" data-compared={isCompared || undefined}>
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
          {mayEdit && !isCompared && (
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
    </div>
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
