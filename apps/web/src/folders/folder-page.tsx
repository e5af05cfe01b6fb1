import { Breadcrumbs, Group, Loader, Stack, Title } from '@mantine/core'
import { type Membership, readAppFolder } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { FolderContents } from './folder-contents.tsx'
import styles from './folder-page.module.css'
import { FolderTree } from './folder-tree.tsx'
import { MirrorBadge } from './mirror-badge.tsx'
import { NewMenu } from './new-menu.tsx'
import { SearchBox } from './search-box.tsx'
import { UploadList } from './upload-list.tsx'
import { useFolderDrop, useUploads } from './use-uploads.ts'

/** A folder of a team: the root folder if the URL names none. */
export function FolderPage() {
  const team = useTeam()
  const { folderId } = useParams()
  if (!team) return <NotFound what="team" />
  return <FolderView key={folderId} team={team} folderId={folderId ?? team.rootFolderId} />
}

function FolderView({ team, folderId }: { team: Membership; folderId: string }) {
  const query = useQuery(queryOf(readAppFolder, { params: [folderId] }))
  const uploads = useUploads(folderId)
  const folder = query.data?.folder
  const mayEdit = team.role !== 'viewer'
  useTitle(folder?.name)
  useFolderDrop(uploads, { mayEdit, name: folder?.name })
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what="folder" />
  return (
    <div className={styles.page}>
      <aside className={styles.tree} aria-label="All folders">
        <FolderTree team={team} currentId={folderId} />
      </aside>
      <div className={styles.contents}>
        <Stack>
          <SearchBox team={team} folder={folder} />
          {query.isError && <Failure error={query.error} retry={query.refetch} />}
          {query.isPending && <Loader aria-label="Loading" />}
          {folder && (
            <>
              {folder.path.length > 0 && (
                <nav aria-label="Where this folder is">
                  <Breadcrumbs separatorMargin={6} className={styles.crumbs}>
                    {folder.path.map(({ id, name }) => (
                      <Link
                        key={id}
                        className={styles.crumb}
                        title={name}
                        to={`/teams/${team.id}/folders/${id}`}
                      >
                        {name}
                      </Link>
                    ))}
                  </Breadcrumbs>
                </nav>
              )}
              <Group justify="space-between">
                <Group gap="sm">
                  <Title order={1} size="h2" className={styles.name}>
                    {folder.name}
                  </Title>
                  <MirrorBadge team={team} folderId={folder.id} />
                </Group>
                {mayEdit && <NewMenu folder={folder} onFiles={uploads.add} />}
              </Group>
              <UploadList uploads={uploads} />
              <FolderContents folder={folder} mayEdit={mayEdit} />
            </>
          )}
        </Stack>
      </div>
    </div>
  )
}
