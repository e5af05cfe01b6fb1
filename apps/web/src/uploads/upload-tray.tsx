import {
  ActionIcon,
  Button,
  CloseButton,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { useThrottledValue } from '@mantine/hooks'
import { formatBytes } from '@meadow/contract'
import { type AppResponse, listVersions, type Upload } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { type HistoryLocation, NOW, writeHistory } from '../document/state/history-location.ts'
import { useFolderRefresh } from '../folders/items/folder-changes.ts'
import { count } from '../shell/count.ts'
import { lazyDialog } from '../shell/dialog.tsx'
import { NARROW, useMedia } from '../shell/first-render.ts'
import { IconChevronDown, IconChevronUp } from '../shell/icons.ts'
import { ProblemList } from '../shell/problem-list.tsx'
import {
  cancelUploads,
  dismissUploads,
  type FileUpload,
  uploadAgain,
  useUploads,
} from '../shell/upload-queue.ts'
import styles from './upload-tray.module.css'

const OUTCOMES: Record<Exclude<Upload['outcome'], 'conflict'>, string> = {
  created: 'was imported',
  replaced: 'was replaced',
  unchanged: 'was imported before, from the same file',
}

/**
 * The number of uploads that are listed. For more, there is one progress, and lines only for what somebody has to
 * decide.
 */
const MAX_LISTED = 8
/** How often folders are read again while they fill, in milliseconds. */
const READ_AGAIN_EVERY_MS = 2000
/** The number of conflicts that are shown at once. */
const CONFLICTS_SHOWN = 3

/**
 * The uploads with their progress, errors and conflicts to decide, over whichever page is open. The browser asks before
 * it closes the window while a file is being sent or waits for a decision. In a narrow window it is one line at first.
 */
export function UploadTray() {
  const list = useUploads()
  const refresh = useFolderRefresh()
  const [isFolded, setIsFolded] = useState(useMedia(NARROW))
  const sorted = useMemo(() => sortOut(list), [list])
  const { conflict, open, ...ended } = sorted
  const isUnfinished = open.length + conflict.length > 0
  const isSending = open.length > 0
  const imported = useThrottledValue(isSending ? ended.imported.length : 0, READ_AGAIN_EVERY_MS)
  const readFolders = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (imported > 0) readFolders()
  }, [imported])
  useEffect(() => {
    if (!isSending) readFolders()
  }, [isSending])
  useEffect(() => {
    if (!isUnfinished) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnfinished])
  // Announced when it begins and when it ends. A region that is there before its text is heard.
  const [said, setSaid] = useState('')
  const { text, percent } = describe(list, sorted)
  const toSay = isSending ? `Uploading ${count(list.length, 'file')}` : text
  useEffect(() => setSaid(toSay), [toSay])
  if (list.length === 0) return null
  return (
    <div className={styles.place}>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Paper shadow="md" withBorder component="section" aria-label="Uploads">
        <Group justify="space-between" pl="xs" pr={4} py={4} wrap="nowrap">
          <Text size="sm" truncate>
            <b>Uploads</b>
            {isFolded && ` · ${text}`}
          </Text>
          <Group gap={0} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={isFolded ? 'Show the uploads' : 'Fold the uploads'}
              aria-expanded={!isFolded}
              onClick={() => setIsFolded(!isFolded)}
            >
              {isFolded ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
            </ActionIcon>
            {open.length === 0 && conflict.length < list.length && (
              <CloseButton
                aria-label="Dismiss the uploads"
                onClick={() => dismissUploads(Object.values(ended).flat())}
              />
            )}
          </Group>
        </Group>
        {!isFolded && (
          <Stack gap={6} p={6} pt={0} mah="50dvh" style={{ overflow: 'auto' }}>
            {list.length > MAX_LISTED ? (
              <ManyUploads {...{ sorted, text, percent }} />
            ) : (
              // What somebody has to decide comes first.
              [...new Set([...conflict, ...list])].map((upload) => (
                <UploadLine key={upload.key} upload={upload} />
              ))
            )}
          </Stack>
        )}
      </Paper>
    </div>
  )
}

function UploadLine({ upload }: { upload: FileUpload }) {
  const { file, result } = upload
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" wrap="nowrap">
        <UploadState upload={upload} />
        {isEnded(upload) && (
          <CloseButton
            aria-label={
              result?.outcome === 'conflict' ? `Do not import ${file.name}` : `Dismiss ${file.name}`
            }
            onClick={() => dismissUploads([upload])}
          />
        )}
      </Group>
    </Paper>
  )
}

const pathOf = ({ folders, file }: FileUpload) => [...folders, file.name].join('/')
const number = (count: number) => count.toLocaleString('en')

/** Sorts the uploads by what became of them. Those in `open` are being sent, or wait for it. */
function sortOut(list: readonly FileUpload[]) {
  const sorted = Object.groupBy(list, ({ result, problem, isCancelled }) => {
    if (result)
      return result.outcome === 'created' || result.outcome === 'replaced' ? 'imported' : result.outcome
    if (problem !== undefined) return 'failed'
    return isCancelled ? 'cancelled' : 'open'
  })
  return { conflict: [], failed: [], cancelled: [], imported: [], unchanged: [], open: [], ...sorted }
}

type Sorted = ReturnType<typeof sortOut>

/** How far all uploads are together, in words and in per cent. */
function describe(
  list: readonly FileUpload[],
  { open, conflict, unchanged, ...others }: Sorted,
): { text: string; percent: number } {
  if (open.length === 0) {
    const ended = { 'to decide': conflict, ...others, 'imported before': unchanged }
    const parts = Object.entries(ended).filter(([, those]) => those.length > 0)
    return { text: parts.map(([what, those]) => `${number(those.length)} ${what}`).join(', '), percent: 100 }
  }
  let [bytes, sentBytes] = [0, 0]
  for (const upload of list) {
    bytes += upload.file.size
    sentBytes += isEnded(upload) ? upload.file.size : upload.sent * upload.file.size
  }
  const ended = list.length - open.length
  return {
    text: `${number(ended)} of ${count(list.length, 'file')}, ${formatBytes(Math.round(sentBytes))} of ${formatBytes(bytes)}`,
    // Many small files count as well as a few large ones.
    percent: 50 * (ended / list.length + sentBytes / Math.max(1, bytes)),
  }
}

/** One progress over many files: a whole folder. */
function ManyUploads({ sorted, text, percent }: { sorted: Sorted; text: string; percent: number }) {
  const { conflict, failed, cancelled, open } = sorted
  const again = [...failed.filter(({ isRefused }) => !isRefused), ...cancelled]
  return (
    <>
      <Paper withBorder p="xs">
        <Group justify="space-between" wrap="nowrap" align="start">
          <Stack gap={4} flex={1} miw={0}>
            <Text size="sm">{text}</Text>
            {open.length > 0 && <Progress value={percent} size="sm" aria-label="Files imported" />}
            <ProblemList lines={failed.map((upload) => `${pathOf(upload)}: ${upload.problem}`)} />
            {open.length === 0 && again.length > 0 && (
              <Group gap="xs">
                <Button size="compact-xs" variant="light" onClick={() => uploadAgain(again)}>
                  Try these again
                </Button>
              </Group>
            )}
          </Stack>
          {open.length > 0 && (
            <Button size="compact-sm" variant="default" onClick={cancelUploads}>
              Cancel
            </Button>
          )}
        </Group>
        {conflict.length > 1 && (
          <Group gap="xs" mt="xs">
            <Text size="sm">{number(conflict.length)} files would replace something here.</Text>
            <Button
              size="compact-xs"
              color="red"
              variant="light"
              onClick={() => uploadAgain(conflict, 'replace')}
            >
              Replace all
            </Button>
            <Button size="compact-xs" variant="light" onClick={() => uploadAgain(conflict, 'copy')}>
              Keep both of each
            </Button>
          </Group>
        )}
      </Paper>
      {conflict.slice(0, CONFLICTS_SHOWN).map((upload) => (
        <UploadLine key={upload.key} upload={upload} />
      ))}
    </>
  )
}

const isEnded = ({ result, problem, isCancelled }: FileUpload) =>
  result !== undefined || problem !== undefined || isCancelled

/** The document that a definition would replace. */
const findReplaced = ({ result, file }: FileUpload): string | undefined =>
  result?.documentId && isDefinition(file.name) ? result.documentId : undefined
const isDefinition = (name: string) => /\.ghx?$/i.test(name)

/** Asks what happens to a document that a file would replace. */
function UploadConflict({ upload, result }: { upload: FileUpload; result: Upload }) {
  const [isCompared, setIsCompared] = useState(false)
  const replaced = findReplaced(upload)
  const replace = () => uploadAgain([upload], 'replace')
  return (
    <Group gap="xs">
      <Text size="sm">
        {result.wasEdited
          ? `“${result.name}” was edited here since it was imported. Replacing it takes these edits out of it; its history keeps them.`
          : `“${upload.folders.at(-1) ?? upload.target.name}” already has ${result.fileId ? 'a file' : 'a document'} “${result.name}”, from another file.`}
      </Text>
      {replaced && (
        <Button size="compact-xs" variant="light" onClick={() => setIsCompared(true)}>
          What would change?
        </Button>
      )}
      <Button size="compact-xs" color="red" variant="light" onClick={replace}>
        Replace it
      </Button>
      <Button size="compact-xs" variant="light" onClick={() => uploadAgain([upload], 'copy')}>
        Keep both
      </Button>
      {replaced && (
        <LazyDiffDialog
          folderId={upload.target.id}
          file={upload.file}
          documentId={replaced}
          name={result.name}
          isOpen={isCompared}
          close={() => setIsCompared(false)}
          replace={replace}
        />
      )}
    </Group>
  )
}

function UploadState({ upload }: { upload: FileUpload }) {
  const { sent, result, problem, isRefused, isCancelled } = upload
  const name = pathOf(upload)
  if (problem)
    return (
      <Group gap="xs">
        <Text size="sm" c="red">
          {name}: {problem}
        </Text>
        {!isRefused && (
          <Button size="compact-xs" variant="light" onClick={() => uploadAgain([upload])}>
            Try again
          </Button>
        )}
      </Group>
    )
  if (isCancelled && !result) return <Text size="sm">{name} was cancelled.</Text>
  if (!result)
    return (
      <div style={{ flex: 1 }}>
        <Text size="sm">
          {name}: {sent < 1 ? `${Math.floor(sent * 100)} % sent` : 'importing'}
        </Text>
        <Progress value={sent * 100} size="sm" animated={sent === 1} aria-label={`Upload of ${name}`} />
      </div>
    )
  if (result.outcome === 'conflict') return <UploadConflict upload={upload} result={result} />
  return (
    <div>
      <Text size="sm">
        <Link to={addressOf(result)}>{result.name}</Link> {OUTCOMES[result.outcome]}.
      </Text>
      {result.remarks.map((remark) => (
        <Text key={remark} size="xs" c="dimmed">
          {remark}
        </Text>
      ))}
      {result.outcome === 'replaced' && result.documentId && (
        <CompareWithBefore documentId={result.documentId} />
      )}
    </div>
  )
}

/** The page of what an upload became. */
const addressOf = ({ documentId, fileId }: Pick<Upload, 'documentId' | 'fileId'>): string =>
  fileId === null ? `/documents/${documentId}` : `/files/${fileId}`

/** What a file would change in the document that it would replace. */
const LazyDiffDialog = lazyDialog(
  () => import('./upload-diff-dialog.tsx'),
  'UploadDiffDialog',
  'What would change',
)

/** Leads to the comparison of a document that was just replaced with what it was before. */
function CompareWithBefore({ documentId }: { documentId: string }) {
  const { data } = useQuery({
    ...queryOf(listVersions, { params: [documentId] }),
    // The list is that of this moment, when the newest version is what was before the file.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const location = data && findReplacement(data)
  if (!location) return null
  return (
    <Button
      size="compact-xs"
      variant="light"
      component={Link}
      to={{ pathname: `/documents/${documentId}`, search: writeHistory(location) }}
    >
      Compare with before
    </Button>
  )
}

/**
 * Finds what a document was and what it is, just after it was replaced. What it is may not be kept as a version yet.
 */
function findReplacement({
  current,
  versions: [newest, older],
}: AppResponse<typeof listVersions>): HistoryLocation | undefined {
  if (current) return newest && { versionId: newest.id, withId: NOW }
  return newest && older && { versionId: older.id, withId: newest.id }
}
