import { ActionIcon, Loader, Text } from '@mantine/core'
import { type Membership, readFolderTree, type TreeFolder } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { IconChevronRight, IconFolder, IconFolderOpen } from '../shell/icons.ts'
import styles from './folder-tree.module.css'
import { dropTarget } from './items/drag-items.ts'
import { useBulk } from './list/bulk-changes.tsx'

/** All folders of a team. Folders and documents can be dropped on them. */
export function FolderTree({ team, currentId }: { team: Membership; currentId: string }) {
  const tree = useQuery(queryOf(readFolderTree, { params: [team.id] }))
  if (tree.isLoadingError) return <Failure error={tree.error} retry={tree.refetch} />
  if (!tree.data) return <Loader size="sm" aria-label="Loading" />
  const { folders, truncated } = tree.data
  const children = Map.groupBy(folders, ({ parentId }) => parentId)
  const parents = new Map(folders.map(({ id, parentId }) => [id as string, parentId as string | null]))
  const openIds = new Set<string>()
  for (let id: string | null | undefined = currentId; id && !openIds.has(id); id = parents.get(id))
    openIds.add(id)
  return (
    <nav aria-label="Folders">
      <ul className={styles.list}>
        {children.get(null)?.map((root) => (
          <Branch
            key={root.id}
            folder={root}
            childrenOf={children}
            openIds={openIds}
            currentId={currentId}
            teamId={team.id}
          />
        ))}
      </ul>
      {truncated && (
        <Text size="xs" c="dimmed">
          Only the first {folders.length.toLocaleString()} folders are shown here.
        </Text>
      )}
    </nav>
  )
}

interface BranchProps {
  folder: TreeFolder
  childrenOf: ReadonlyMap<TreeFolder['parentId'], TreeFolder[]>
  /** The folder that is open, and its ancestors. */
  openIds: ReadonlySet<string>
  currentId: string
  teamId: string
}

function Branch({ folder, ...rest }: BranchProps) {
  const { childrenOf, openIds, currentId, teamId } = rest
  // Whether the user has opened the folder; undefined until they collapse or expand it.
  const [choice, setChoice] = useState<boolean>()
  const isOpen = choice ?? (folder.parentId === null || openIds.has(folder.id))
  const children = childrenOf.get(folder.id) ?? []
  const isCurrent = folder.id === currentId
  const { move } = useBulk()
  return (
    <li>
      <div
        className={styles.row}
        data-current={isCurrent || undefined}
        {...dropTarget(folder.id, (items) => void move(items, folder.id))}
      >
        <ActionIcon
          variant="transparent"
          color="gray"
          size={24}
          style={{ visibility: children.length > 0 ? 'visible' : 'hidden' }}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${folder.name}`}
          onClick={() => setChoice(!isOpen)}
        >
          <IconChevronRight size={14} className={styles.chevron} data-open={isOpen || undefined} />
        </ActionIcon>
        <Link
          to={`/teams/${teamId}/folders/${folder.id}`}
          className={styles.link}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {isCurrent ? <IconFolderOpen size={16} aria-hidden /> : <IconFolder size={16} aria-hidden />}
          <span className={styles.name}>{folder.name}</span>
        </Link>
      </div>
      {isOpen && children.length > 0 && (
        <ul className={styles.list}>
          {children.map((child) => (
            <Branch key={child.id} folder={child} {...rest} />
          ))}
        </ul>
      )}
    </li>
  )
}
