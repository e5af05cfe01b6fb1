import { type RawBuilder, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * A token ends when its maker leaves the team or gets a role that may not make tokens (decision 38). This ends the
 * tokens that outlived that before the rule, and names them. Tokens without a maker are the operator's; they stay.
 */
export const tokensOfMembers: Migration = {
  name: 'tokens of members',
  async up(write) {
    // Why the server ended it, when no user revoked it.
    await sql`alter table token add column end_reason text
      check (end_reason in ('maker_left', 'maker_role'))`.execute(write)
    const now = Date.now()
    const orphans: RawBuilder<Orphan> = sql`
      select token.id, token.public_id as token, token.name, team.public_id as team, team.name as team_name,
        membership.role
      from token
      join team on team.id = token.team_id
      left join membership on membership.team_id = token.team_id and membership.user_id = token.created_by
      where token.created_by is not null
        and token.revoked_at is null
        and (token.expires_at is null or token.expires_at > ${now})
        and (membership.role is null or membership.role = 'viewer')
      order by token.id`
    const { rows } = await orphans.execute(write)
    for (const { id, role } of rows) {
      const reason = role === null ? 'maker_left' : 'maker_role'
      await sql`update token set revoked_at = ${now}, end_reason = ${reason} where id = ${id}`.execute(write)
    }
    const teams = new Set(rows.map(({ team }) => team))
    for (const team of teams) {
      await sql`update team set version = version + 1 where public_id = ${team}`.execute(write)
    }
    return rows.map(describe)
  },
}

interface Orphan {
  id: number
  token: string
  name: string
  team: string
  team_name: string
  role: string | null
}

const describe = ({ token, name, team, team_name, role }: Orphan): string =>
  `The API token "${name}" (${token}) of team "${team_name}" (${team}) has ended: the person who made it ` +
  `${role === null ? 'is no longer a member of the team' : 'may no longer make API tokens there'}.`
