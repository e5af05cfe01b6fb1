import { Breadcrumbs } from '@mantine/core'
import { Link } from 'react-router'
import { dropTarget } from './drag-items.ts'
import type { BulkItem } from './folder-changes.ts'
import styles from './folder-crumbs.module.css'

interface FolderCrumbsProps {
  label: string
  teamId: string
  path: readonly { id: string; name: string }[]
  /** Takes items that are dropped on a folder. */
  drop?: ((items: BulkItem[], folderId: string) => void) | false
}

/** The folders around something, the root first. */
export const FolderCrumbs = ({ label, teamId, path, drop }: FolderCrumbsProps) => (
  <nav aria-label={label}>
    <Breadcrumbs separatorMargin={6} className={styles.crumbs}>
      {path.map(({ id, name }) => (
        <Link
          key={id}
          className={styles.crumb}
          title={name}
          to={`/teams/${teamId}/folders/${id}`}
          {...(drop && dropTarget(id, (items) => drop(items, id)))}
        >
          {name}
        </Link>
      ))}
    </Breadcrumbs>
  </nav>
)
