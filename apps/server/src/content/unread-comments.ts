import type { UserId } from '@meadow/contract'
import type { Select } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'

/**
 * The comments that a member of a team has not read: those of others after the last one of the thread that they have seen.
 * What was written before they became a member counts as read.
 */
export const selectUnread = (read: Select, team: TeamKey, reader: UserId) =>
  read
    .selectFrom('comment')
    .innerJoin('membership', (join) =>
      join.on('membership.team_id', '=', team).on('membership.user_id', '=', reader),
    )
    .leftJoin('comment_read as seen', (join) =>
      join.onRef('seen.thread_id', '=', 'comment.thread_id').on('seen.user_id', '=', reader),
    )
    .whereRef('comment.created_at', '>=', 'membership.created_at')
    .where(({ or, eb }) => or([eb('comment.author_id', 'is', null), eb('comment.author_id', '<>', reader)]))
    .where(({ or, eb }) => or([eb('seen.seen', 'is', null), eb('comment.id', '>', eb.ref('seen.seen'))]))
