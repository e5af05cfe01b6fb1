import { Button, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import type { Upload } from '@meadow/contract/web'
import { useContext, useState } from 'react'
import { Link } from 'react-router'
import { UploadComparisonContext } from './upload-comparison.ts'
import type { FileUpload, Uploads } from './use-uploads.ts'

const OUTCOMES: Record<Exclude<Upload['outcome'], 'conflict'>, string> = {
  created: 'was imported',
  replaced: 'was replaced',
  unchanged: 'was imported before, from the same file',
}

/** Of more uploads than this, those that are finished or have not begun are only counted. */
const MAX_LISTED = 8

const isFinished = ({ result }: FileUpload) => result !== undefined && result.outcome !== 'conflict'
const isWaiting = ({ sent, result, problem }: FileUpload) => sent === 0 && !result && !problem

/** The uploads with their progress, errors and conflicts to decide. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const { list } = uploads
  if (list.length === 0) return null
  const isLong = list.length > MAX_LISTED
  const shown = isLong ? list.filter((upload) => !isFinished(upload) && !isWaiting(upload)) : list
  return (
    <Stack gap={6} component="section" aria-label="Uploads" aria-live="polite">
      {isLong && <UploadCount uploads={uploads} />}
      {shown.map((upload) => (
        <Paper key={upload.key} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <UploadState upload={upload} uploads={uploads} />
            {(upload.result || upload.problem) && (
              <CloseButton
                aria-label={`Dismiss ${upload.file.name}`}
                onClick={() => uploads.dismiss([upload])}
              />
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

function UploadCount({ uploads: { list, dismiss } }: { uploads: Uploads }) {
  const finished = list.filter(isFinished)
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" wrap="nowrap">
        <div style={{ flex: 1 }}>
          <Text size="sm">
            {finished.length} of {list.length} files are imported
          </Text>
          <Progress value={(100 * finished.length) / list.length} size="sm" aria-label="Files imported" />
        </div>
        {!list.some(isWaiting) && (
          <CloseButton aria-label="Dismiss the imported files" onClick={() => dismiss(finished)} />
        )}
      </Group>
    </Paper>
  )
}

/** The document that a definition would replace. */
const findReplaced = ({ result, file }: FileUpload): string | undefined =>
  result?.documentId && isDefinition(file.name) ? result.documentId : undefined
const isDefinition = (name: string) => /\.ghx?$/i.test(name)

/** Asks what happens to a document that a file would replace. */
function UploadConflict({ upload, result, uploads }: UploadOutcomeProps & { uploads: Uploads }) {
  const comparison = useContext(UploadComparisonContext)
  const [isCompared, setIsCompared] = useState(false)
  const [wasCompared, setWasCompared] = useState(false)
  const replaced = findReplaced(upload)
  const replace = () => uploads.again(upload, 'replace')
  return (
    <Group gap="xs">
      <Text size="sm">
        {result.wasEdited
          ? `“${result.name}” was edited here since it was imported. Replacing it takes these edits out of it; its history keeps them.`
          : `This folder already has ${result.fileId ? 'a file' : 'a document'} “${result.name}”, from another file.`}
      </Text>
      {comparison && replaced && (
        <Button
          size="compact-xs"
          variant="light"
          onClick={() => {
            setWasCompared(true)
            setIsCompared(true)
          }}
        >
          What would change?
        </Button>
      )}
      <Button size="compact-xs" color="red" variant="light" onClick={replace}>
        Replace it
      </Button>
      <Button size="compact-xs" variant="light" onClick={() => uploads.again(upload, 'copy')}>
        Keep both
      </Button>
      {comparison && wasCompared && replaced && (
        <comparison.DiffDialog
          folderId={uploads.folderId}
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

interface UploadOutcomeProps {
  upload: FileUpload
  result: Upload
}

function UploadState({ upload, uploads }: { upload: FileUpload; uploads: Uploads }) {
  const comparison = useContext(UploadComparisonContext)
  const { sent, result, problem } = upload
  const name = [...upload.folders, upload.file.name].join('/')
  if (problem)
    return (
      <Group gap="xs">
        <Text size="sm" c="red">
          {name}: {problem}
        </Text>
        <Button size="compact-xs" variant="light" onClick={() => uploads.again(upload)}>
          Try again
        </Button>
      </Group>
    )
  if (!result)
    return (
      <div style={{ flex: 1 }}>
        <Text size="sm">
          {name}: {sent < 1 ? `${Math.floor(sent * 100)} % sent` : 'importing'}
        </Text>
        <Progress value={sent * 100} size="sm" animated={sent === 1} aria-label={`Upload of ${name}`} />
      </div>
    )
  if (result.outcome === 'conflict')
    return <UploadConflict upload={upload} result={result} uploads={uploads} />
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
      {comparison && result.outcome === 'replaced' && result.documentId && (
        <comparison.CompareWithBefore documentId={result.documentId} />
      )}
    </div>
  )
}

/** The page of what an upload became. */
const addressOf = ({ documentId, fileId }: Pick<Upload, 'documentId' | 'fileId'>): string =>
  fileId === null ? `/documents/${documentId}` : `/files/${fileId}`
