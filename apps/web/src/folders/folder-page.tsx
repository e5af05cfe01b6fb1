import { Badge, Button, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import {
  type AppFolder,
  type FolderFilters,
  listMirrors,
  type Membership,
  readAppFolder,
} from '@meadow/contract/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { describeMirror } from '../settings/describe-mirror.ts'
import { Failure } from '../shell/failure.tsx'
import { formatSince } from '../shell/format-time.ts'
import { IconRefresh } from '../shell/icons.ts'
import { Loading } from '../shell/loading.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useFolderDrop } from '../shell/upload-queue.ts'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import styles from './folder-page.module.css'
import { FolderTree } from './folder-tree.tsx'
import type { BulkItem } from './items/folder-changes.ts'
import { FolderCrumbs } from './items/folder-crumbs.tsx'
import { LibraryNav } from './library-nav.tsx'
import { BulkProvider, useBulk, useBulkChanges } from './list/bulk-changes.tsx'
import { FilterBar, useDescribeFilter } from './list/filter-bar.tsx'
import { toStateFilter, useFilters } from './list/filters.ts'
import { ItemList, useList } from './list/item-list.tsx'
import { FavouriteButton } from './list/item-parts.tsx'
import { toListItems } from './list/list-items.ts'
import { NewMenu } from './new-menu.tsx'
import { SearchBox } from './search-box.tsx'

/** A folder of a team: the root folder if the URL names none. */
export function FolderPage() {
  const team = useTeam()
  const { folderId } = useParams()
  if (!team) return <NotFound what="team" />
  return (
    <FolderView key={folderId ?? team.rootFolderId} team={team} folderId={folderId ?? team.rootFolderId} />
  )
}

function FolderView({ team, folderId }: { team: Membership; folderId: string }) {
  const [filters, setFilters] = useFilters()
  const query = useQuery({
    ...queryOf(readAppFolder, { params: [folderId], query: filters }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => data !== undefined && refetchAfter(data.folder.documents),
  })
  const bulk = useBulkChanges(team.id)
  const folder = query.data?.folder
  const mayEdit = team.role !== 'viewer'
  useTitle(folder?.name)
  useFolderDrop(mayEdit ? { id: folderId, name: folder?.name ?? 'this folder' } : undefined)
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what="folder" />
  return (
    <BulkProvider value={bulk}>
      <div className={styles.page}>
        <aside className={styles.tree} aria-label="All folders">
          <LibraryNav teamId={team.id} />
          <FolderTree team={team} currentId={folderId} />
        </aside>
        <div className={styles.contents}>
          <Stack>
            <div className={styles.narrowOnly}>
              <LibraryNav teamId={team.id} />
            </div>
            <SearchBox team={team} folder={folder} />
            {query.isError && <Failure error={query.error} retry={query.refetch} />}
            {query.isPending && <Loading />}
            {folder && (
              <>
                <Ancestors folder={folder} mayEdit={mayEdit} />
                <Group justify="space-between">
                  <Group gap="sm" wrap="nowrap">
                    <Title order={1} size="h2" className={styles.name}>
                      {folder.name}
                    </Title>
                    <FavouriteButton item={{ ...folder, kind: 'folder' }} />
                    <MirrorBadge team={team} folderId={folder.id} />
                  </Group>
                  {mayEdit && <NewMenu folder={folder} />}
                </Group>
                <FolderContents
                  folder={folder}
                  mayEdit={mayEdit}
                  filters={filters}
                  setFilters={setFilters}
                  isStale={query.isPlaceholderData}
                />
              </>
            )}
          </Stack>
        </div>
      </div>
    </BulkProvider>
  )
}

/** A folder is read again after this time while documents in it are solved, and later when it has thousands of them. */
const SOLVING_REFETCH_MS = 3000
const REFETCH_MS_PER_DOCUMENT = 2

const refetchAfter = (documents: AppFolder['documents']): number | false =>
  documents.some((document) => toStateFilter(document) === 'solving') &&
  Math.max(SOLVING_REFETCH_MS, documents.length * REFETCH_MS_PER_DOCUMENT)

/** The folders above, on which items can be dropped. */
function Ancestors({ folder, mayEdit }: { folder: AppFolder; mayEdit: boolean }) {
  const { move } = useBulk()
  const drop = mayEdit && ((items: BulkItem[], id: string) => void move(items, id))
  return folder.path.length > 0 && <FolderCrumbs {...folder} label="Where this folder is" drop={drop} />
}

interface ContentsProps {
  folder: AppFolder
  mayEdit: boolean
  filters: FolderFilters
  setFilters: ReturnType<typeof useFilters>[1]
  /** Whether the filters were changed, and what they leave is still being read. */
  isStale: boolean
}

function FolderContents({ folder, mayEdit, filters, setFilters, isStale }: ContentsProps) {
  const all = useMemo(() => toListItems(folder), [folder])
  const list = useList(all, { isSortable: true })
  const isFiltered = Object.keys(filters).length > 0
  const isEmpty = all.length === 0 && !isFiltered
  const empty = isEmpty ? (
    <Text c="dimmed" ta="center" py="xl">
      {mayEdit
        ? 'This folder is empty. Upload or drop definitions (.gh, .ghx) and models (.3dm), or create a document.'
        : 'This folder is empty.'}
    </Text>
  ) : (
    <NothingFound
      folder={folder}
      filters={filters}
      setFilters={setFilters}
      text={all.length > 0 ? list.text : ''}
      clearText={() => list.setText('')}
    />
  )
  return (
    <>
      {!isEmpty && <FilterBar {...list} folder={folder} filters={filters} setFilters={setFilters} />}
      <div aria-busy={isStale} className={styles.list}>
        <ItemList list={list} teamId={folder.teamId} mayEdit={mayEdit} empty={empty} />
      </div>
      {folder.truncated && (
        <Text size="sm" c="dimmed">
          These are the first {folder.documents.length.toLocaleString('en')} documents and{' '}
          {folder.files.length.toLocaleString('en')} files. Filter, or open a folder, to see the others.
        </Text>
      )}
    </>
  )
}

/** Shown in place of an empty list: says what to remove to see something. */
function NothingFound({
  folder,
  filters,
  setFilters,
  text,
  clearText,
}: Pick<ContentsProps, 'folder' | 'filters' | 'setFilters'> & { text: string; clearText: () => void }) {
  const describe = useDescribeFilter(folder.id, filters)
  const helpful = folder.withoutFilter.filter(({ items }) => items > 0)
  return (
    <Stack align="center" gap="xs" py="xl" role="status">
      <Text c="dimmed">
        {text ? `Nothing here has “${text}” in its name.` : 'Nothing here matches the filters.'}
      </Text>
      {text ? (
        <Button size="xs" variant="light" onClick={clearText}>
          Clear the name
        </Button>
      ) : (
        helpful.map(({ filter, items }) => (
          <Button key={filter} size="xs" variant="light" onClick={() => setFilters({ [filter]: null })}>
            Without “{describe(filter)}” there {items === 1 ? 'is' : 'are'} {items.toLocaleString('en')}
          </Button>
        ))
      )}
      {!text && helpful.length === 0 && (
        <Button
          size="xs"
          variant="light"
          onClick={() => setFilters({ state: null, author: null, plugin: null, kind: null })}
        >
          Remove all filters
        </Button>
      )}
    </Stack>
  )
}

/** Marks a folder that receives the contents of a folder on the server's disk. Leads to what changed there. */
function MirrorBadge({ team, folderId }: { team: Membership; folderId: string }) {
  const { data } = useQuery({
    ...queryOf(listMirrors, { params: [team.id] }),
    enabled: team.role !== 'viewer',
  })
  const mirror = data?.mirrors.find(({ folder }) => folder?.id === folderId)
  if (!mirror) return null
  const { label, color, isTrouble, sentence } = describeMirror(mirror, Date.now())
  const lastRun = mirror.lastRun ? `last run ${formatSince(mirror.lastRun.startedAt)}` : 'not run yet'
  const text = `Mirrors ${mirror.path} · ${mirror.isWatched ? 'changes are followed' : lastRun}`
  const mark = isTrouble ? `Mirror: ${label.toLowerCase()}` : 'Mirror'
  return (
    <Tooltip label={isTrouble ? `${text}. ${sentence}` : text} multiline maw={420}>
      <Link
        to={`/teams/${team.id}/settings/mirrors`}
        className={styles.link}
        aria-label={`${mark}. ${text}. ${isTrouble ? sentence : label}`}
      >
        <Badge
          component="span"
          variant="light"
          color={isTrouble ? color : 'gray'}
          tt="none"
          fw={600}
          size="sm"
          className={styles.badge}
          leftSection={<IconRefresh size={12} aria-hidden />}
        >
          {mark}
        </Badge>
      </Link>
    </Tooltip>
  )
}
