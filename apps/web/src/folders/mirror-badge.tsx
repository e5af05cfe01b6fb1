import { Badge, Tooltip } from '@mantine/core'
import { listMirrors, type Membership } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { IconRefresh } from '../icons.ts'
import { describeMirror } from '../settings/describe-mirror.ts'
import { formatSince } from '../shell/format-time.ts'
import styles from './mirror-badge.module.css'

/** Marks a folder that receives the contents of a folder on the server's disk. Leads to what changed there. */
export function MirrorBadge({ team, folderId }: { team: Membership; folderId: string }) {
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
