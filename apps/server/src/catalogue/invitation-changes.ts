import { hashToken } from '../access/tokens.ts'
import type { Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'
import type { InvitationChanges } from './team-change.ts'

export function createInvitationChanges(write: Write, team: TeamKey): InvitationChanges {
  return {
    async createInvitation({ role, note, secret, createdBy, createdAt, expiresAt }) {
      const { id } = await write
        .insertInto('invitation')
        .values({
          public_id: createPublicId('inv'),
          team_id: team,
          role,
          note,
          hash: hashToken(secret),
          created_at: createdAt,
          created_by: createdBy,
          expires_at: expiresAt,
        })
        .returning('public_id as id')
        .executeTakeFirstOrThrow()
      return id
    },
    async withdrawInvitation(id) {
      if (!isPublicId('inv', id)) return false
      const { numDeletedRows } = await write
        .deleteFrom('invitation')
        .where('team_id', '=', team)
        .where('public_id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
