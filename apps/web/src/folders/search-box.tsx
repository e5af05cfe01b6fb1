import { CloseButton, Loader, Paper, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useClickOutside, useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { type AppFolder, type AppResponse, foldName, type Membership, searchTeam } from '@meadow/contract/web'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { PublicMark } from '../sharing/public-mark.tsx'
import { Failure } from '../shell/failure.tsx'
import { IconSearch } from '../shell/icons.ts'
import { moveByArrows } from '../shell/move-by-arrows.ts'
import { When } from '../shell/when.tsx'
import { SolveLink } from '../solve-state/solve-badge.tsx'
import { FileIcon } from './items/file-icon.tsx'
import { Thumbnail } from './items/thumbnail.tsx'
import styles from './search-box.module.css'

/** The delay of the search in milliseconds: long enough to skip most keystrokes, too short to notice. */
const DEBOUNCE_MS = 120

/**
 * Searches documents and other files while the user types, as the API's search does: in a folder, or in the team from its
 * root. The results lie over the page, as long as the search has the focus. The arrow keys move the focus between the field
 * and the links, Enter in the field opens the first result, and Escape ends the search.
 */
export function SearchBox({ team, folder }: { team: Membership; folder: AppFolder | undefined }) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS)
  const hasQuery = debounced.trim() !== ''
  const isRoot = !folder || folder.parentId === null
  const label = isRoot ? 'Search all documents' : `Search in ${folder.name}`
  const found = useQuery({
    ...queryOf(searchTeam, {
      params: [team.id],
      query: { q: debounced, ...(!isRoot && { folderId: folder.id }) },
    }),
    enabled: hasQuery,
    placeholderData: keepPreviousData,
  })
  const hits = found.data ? listHits(found.data) : []
  const isCurrent = debounced === text && !found.isFetching
  const first = isCurrent ? hits[0]?.to : undefined
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['mod+K', () => field.current?.focus()]], [])
  const navigate = useNavigate()
  /** The text whose first result opens as soon as it is there: who types fast presses Enter before that. */
  const [awaited, setAwaited] = useState<string>()
  useEffect(() => {
    if (awaited === undefined) return
    if (awaited !== text) setAwaited(undefined)
    else if (first !== undefined) void navigate(first)
  }, [awaited, text, first, navigate])
  const box = useClickOutside(() => setIsOpen(false))
  const isShown = isOpen && hasQuery && text !== ''
  return (
    <search
      ref={box}
      className={styles.search}
      onKeyDown={(event) => {
        moveByArrows(event)
        if (event.key === 'Enter' && event.target === field.current) setAwaited(text)
        if (event.key !== 'Escape') return
        setText('')
        field.current?.focus()
      }}
      onFocus={() => setIsOpen(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setIsOpen(false)
      }}
    >
      <TextInput
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts="Control+K Meta+K"
        title="Ctrl+K"
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
      <VisuallyHidden role="status">
        {isShown && found.data && isCurrent && `${hits.length} found`}
      </VisuallyHidden>
      {isShown && <Results {...{ team, found, hits, debounced }} text={text.trim()} />}
    </search>
  )
}

interface ResultsProps {
  team: Membership
  found: Pick<UseQueryResult<AppResponse<typeof searchTeam>>, 'data' | 'error' | 'isPending' | 'refetch'>
  hits: ReturnType<typeof listHits>
  /** What the hits were searched for, and what is typed by now. */
  debounced: string
  text: string
}

function Results({ team, found, hits, debounced, text }: ResultsProps) {
  return (
    <Paper withBorder p="xs" shadow="md" className={styles.results}>
      {found.isPending && <Text c="dimmed">Searching …</Text>}
      {found.error && <Failure error={found.error} retry={found.refetch} />}
      {found.data && hits.length === 0 && (
        <Text c="dimmed">No document or file has “{debounced}” in its name.</Text>
      )}
      <ul className={styles.list}>
        {hits.map(({ item, to, picture, mark, state }) => (
          <li key={item.id} className={styles.row}>
            {picture}
            <Link to={to} className={styles.hit}>
              <span>
                <MarkedName name={item.name} query={foldName(debounced.trim())} /> {mark}
              </span>
              <Text span size="sm" c="dimmed">
                {item.isRoot ? team.name : item.folder.name} · <When at={item.updatedAt} />
              </Text>
            </Link>
            {state}
          </li>
        ))}
      </ul>
      {found.data?.truncated && (
        <Text size="sm" c="dimmed" px={8}>
          Only the first 50 are shown: type more of the name.
        </Text>
      )}
      {/* The link is not shown before the results, which would take its place under the pointer. */}
      {!found.isPending && (
        <Link to={`/teams/${team.id}/uses?q=${encodeURIComponent(text)}`} className={styles.hit}>
          <Text span size="sm">
            Documents that use “{text}”
          </Text>
        </Link>
      )}
    </Paper>
  )
}

/** What a search found, documents first. */
const listHits = ({ documents, files }: AppResponse<typeof searchTeam>) => [
  ...documents.map((item) => ({
    item,
    to: `/documents/${item.id}`,
    picture: <Thumbnail documentId={item.id} summary={item} size="row" />,
    mark: <PublicMark visibility={item.visibility} />,
    state: <SolveLink documentId={item.id} summary={item} />,
  })),
  ...files.map((item) => ({
    ...{ item, to: `/files/${item.id}`, picture: <FileIcon file={item} />, mark: null, state: null },
  })),
]

/** A name whose parts that the search looked for are marked; the query is folded. */
function MarkedName({ name, query }: { name: string; query: string }) {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  const at = letters.map(foldName).join('').indexOf(query)
  if (at === -1 || query === '') return name
  let end = 0
  // Where each letter ends in the folded name, whose letters may be more: ß is SS there.
  const ends = letters.map((letter) => (end += foldName(letter).length))
  const first = ends.findIndex((end) => end > at)
  const next = ends.findIndex((end) => end >= at + query.length) + 1
  return (
    <>
      {letters.slice(0, first).join('')}
      <mark>{letters.slice(first, next).join('')}</mark>
      <MarkedName name={letters.slice(next).join('')} query={query} />
    </>
  )
}
