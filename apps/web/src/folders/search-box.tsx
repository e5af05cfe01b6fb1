import { CloseButton, Loader, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type AppFolder, type Membership, searchTeam } from '@meadow/contract/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { PublicMark } from '../sharing/public-mark.tsx'
import { Failure } from '../shell/failure.tsx'
import { IconSearch } from '../shell/icons.ts'
import { When } from '../shell/when.tsx'
import { SolveLink } from '../solve-state/solve-badge.tsx'
import { FileIcon } from './items/file-icon.tsx'
import { Thumbnail } from './items/thumbnail.tsx'
import styles from './search-box.module.css'

/** The delay of the search in milliseconds: long enough to skip most keystrokes, too short to notice. */
const DEBOUNCE_MS = 120

/**
 * Searches documents and other files while the user types, as the API's search does: in a folder, or in the team from its
 * root. The arrow keys move the focus between the field and the links, Enter in the field opens the first result, and
 * Escape ends the search.
 */
export function SearchBox({ team, folder }: { team: Membership; folder: AppFolder | undefined }) {
  const [text, setText] = useState('')
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS)
  const hasQuery = debounced.trim() !== ''
  const isRoot = !folder || folder.parentId === null
  const found = useQuery({
    ...queryOf(searchTeam, {
      params: [team.id],
      query: { q: debounced, ...(!isRoot && { folderId: folder.id }) },
    }),
    enabled: hasQuery,
    placeholderData: keepPreviousData,
  })
  const documents = found.data?.documents ?? []
  const files = found.data?.files ?? []
  const [first] = [...documents.map(({ id }) => `/documents/${id}`), ...files.map(({ id }) => `/files/${id}`)]
  const isCurrent = debounced === text && !found.isFetching
  const { box, onKeyDown } = useResultKeys({
    text,
    first: isCurrent ? first : undefined,
    clear: () => setText(''),
  })
  return (
    <search ref={box} onKeyDown={onKeyDown}>
      <TextInput
        type="search"
        aria-label={isRoot ? 'Search all documents' : `Search in ${folder.name}`}
        placeholder={isRoot ? 'Search all documents' : `Search in ${folder.name}`}
        leftSection={<IconSearch size={16} />}
        rightSection={
          text &&
          (found.isFetching ? (
            <Loader size={14} />
          ) : (
            <CloseButton aria-label="Clear" onClick={() => setText('')} />
          ))
        }
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {hasQuery && text !== '' && (
        <Paper withBorder mt={4} p="xs" shadow="sm" aria-live="polite">
          {found.isPending && <Text c="dimmed">Searching …</Text>}
          {found.isError && <Failure error={found.error} retry={found.refetch} />}
          {found.data && documents.length + files.length === 0 && (
            <Text c="dimmed">No document or file has “{debounced}” in its name.</Text>
          )}
          <Stack gap={0} component="ul" className={styles.list}>
            {documents.map((document) => (
              <li key={document.id} className={styles.row}>
                <Thumbnail documentId={document.id} summary={document} size="row" />
                <Link to={`/documents/${document.id}`} className={styles.hit}>
                  <span>
                    {document.name} <PublicMark visibility={document.visibility} />
                  </span>
                  <Text span size="sm" c="dimmed">
                    {document.isRoot ? team.name : document.folder.name} · <When at={document.updatedAt} />
                  </Text>
                </Link>
                <SolveLink documentId={document.id} summary={document} />
              </li>
            ))}
            {files.map((file) => (
              <li key={file.id} className={styles.row}>
                <Link to={`/files/${file.id}`} className={styles.hit}>
                  <span className={styles.file}>
                    <FileIcon file={file} /> {file.name}
                  </span>
                  <Text span size="sm" c="dimmed">
                    {file.isRoot ? team.name : file.folder.name} · <When at={file.updatedAt} />
                  </Text>
                </Link>
              </li>
            ))}
          </Stack>
          {found.data?.truncated && (
            <Text size="sm" c="dimmed" px={8}>
              Only the first 50 are shown: type more of the name.
            </Text>
          )}
          {/* The link is not shown before the results, which would take its place under the pointer. */}
          {!found.isPending && (
            <Link to={`/teams/${team.id}/uses?q=${encodeURIComponent(text.trim())}`} className={styles.hit}>
              <Text span size="sm">
                Documents that use “{text.trim()}”
              </Text>
            </Link>
          )}
        </Paper>
      )}
    </search>
  )
}

/** The keys of the search, from its field to its last link. `first` is the first result of `text`, once it is known. */
function useResultKeys({
  text,
  first,
  clear,
}: {
  text: string
  first: string | undefined
  clear: () => void
}) {
  const box = useRef<HTMLElement>(null)
  const navigate = useNavigate()
  /** The text whose first result opens as soon as it is there: who types fast presses Enter before that. */
  const [awaited, setAwaited] = useState<string>()
  useEffect(() => {
    if (awaited === undefined) return
    if (awaited !== text) setAwaited(undefined)
    else if (first !== undefined) void navigate(first)
  }, [awaited, text, first, navigate])
  const onKeyDown = (event: KeyboardEvent) => {
    const field = box.current?.querySelector('input')
    if (event.key === 'Escape') {
      clear()
      field?.focus()
    } else if (event.key === 'Enter' && event.target === field) setAwaited(text)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const stops = [field, ...(box.current?.querySelectorAll<HTMLElement>(`.${styles.hit}`) ?? [])]
      // A control beside a link, such as the state of a document, counts as that link.
      const row = (event.target as Element)
        .closest(`.${styles.row}`)
        ?.querySelector<HTMLElement>(`.${styles.hit}`)
      const at = stops.indexOf(row ?? (event.target as HTMLElement))
      const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (at === -1 || !next) return
      event.preventDefault()
      next.focus()
    }
  }
  return { box, onKeyDown }
}
