import { Stack, Text, TextInput, Title } from '@mantine/core'
import { listFavourites, listRecents, type Membership } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { IconFilter } from '../shell/icons.ts'
import { Loading } from '../shell/loading.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import styles from './folder-page.module.css'
import { FolderTree } from './folder-tree.tsx'
import { LibraryNav } from './library-nav.tsx'
import { BulkProvider, useBulkChanges } from './list/bulk-changes.tsx'
import { ItemList, useList } from './list/item-list.tsx'
import { type Listing, toListItems } from './list/list-items.ts'

/** The documents of a team that the user opened lately. */
export function RecentPage() {
  const team = useTeam()
  useTitle('Recent')
  return team ? <Recents team={team} /> : <NotFound what="team" />
}

function Recents({ team }: { team: Membership }) {
  // The list is always requested again, since a document may have been opened a moment ago.
  const query = useQuery({ ...queryOf(listRecents, { params: [team.id] }), staleTime: 0 })
  const listing = useMemo(
    () => query.data && { folders: [], documents: query.data.documents, files: [] },
    [query.data],
  )
  return (
    <PersonalList
      team={team}
      title="Recent"
      query={query}
      listing={listing}
      isSortable={false}
      empty="Documents that you open are listed here, on every device on which you sign in."
    />
  )
}

/** What the user marked as favourites in a team. */
export function FavouritesPage() {
  const team = useTeam()
  useTitle('Favourites')
  return team ? <Favourites team={team} /> : <NotFound what="team" />
}

function Favourites({ team }: { team: Membership }) {
  const query = useQuery(queryOf(listFavourites, { params: [team.id] }))
  return (
    <PersonalList
      team={team}
      title="Favourites"
      query={query}
      listing={query.data}
      isSortable
      empty="Folders, documents and files that you mark with the star are listed here. Only you see them."
    />
  )
}

const NOTHING: Listing = { folders: [], documents: [], files: [] }

function PersonalList({
  team,
  title,
  query,
  listing = NOTHING,
  isSortable,
  empty,
}: {
  team: Membership
  title: string
  query: {
    isPending: boolean
    isSuccess: boolean
    isError: boolean
    error: Error | null
    refetch: () => unknown
  }
  listing: Listing | undefined
  isSortable: boolean
  empty: string
}) {
  const all = useMemo(() => toListItems(listing), [listing])
  const list = useList(all, { isSortable })
  const bulk = useBulkChanges(team.id)
  return (
    <BulkProvider value={bulk}>
      <div className={styles.page}>
        <aside className={styles.tree} aria-label="All folders">
          <LibraryNav teamId={team.id} />
          <FolderTree team={team} currentId="" />
        </aside>
        <Stack className={styles.contents}>
          <div className={styles.narrowOnly}>
            <LibraryNav teamId={team.id} />
          </div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {query.isError && <Failure error={query.error!} retry={query.refetch} />}
          {query.isPending && <Loading />}
          {all.length > 0 && (
            <TextInput
              ref={list.textField}
              size="xs"
              maw={320}
              aria-label="Filter the list"
              placeholder="Filter by name"
              leftSection={<IconFilter size={14} />}
              value={list.text}
              onChange={({ currentTarget }) => list.setText(currentTarget.value)}
              onKeyDown={({ key }) => key === 'Escape' && list.setText('')}
            />
          )}
          {query.isSuccess && (
            <ItemList
              list={list}
              teamId={team.id}
              mayEdit={team.role !== 'viewer'}
              empty={
                <Text c="dimmed" ta="center" py="xl" role={all.length > 0 ? 'status' : undefined}>
                  {all.length > 0 ? `Nothing here has “${list.text}” in its name.` : empty}
                </Text>
              }
            />
          )}
        </Stack>
      </div>
    </BulkProvider>
  )
}
