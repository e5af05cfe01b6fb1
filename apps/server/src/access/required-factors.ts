import { type ExpressionWrapper, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../platform/database/tables.ts'

/**
 * Returns the condition that a membership counts: its team requires no second factor, or the member has one. Every
 * query that asks for a role uses it, so that nobody without the factor gets anything of the team.
 */
export function isMembershipOpen(): ExpressionWrapper<Tables, 'membership', SqlBool> {
  const eb = expressionBuilder<Tables, 'membership'>()
  return eb.or([
    eb.not(
      eb.exists(
        eb
          .selectFrom('team as requiring')
          .whereRef('requiring.id', '=', 'membership.team_id')
          .where('requiring.requires_second_factor', '=', 1)
          .select('requiring.id'),
      ),
    ),
    hasSecondFactor('membership.user_id'),
  ])
}

/** Returns the condition that the account in this column has a second factor. */
export const hasSecondFactor = (user: 'membership.user_id' | 'user.id'): RawBuilder<SqlBool> =>
  sql`exists (select 1 from second_factor where second_factor.user_id = ${sql.ref(user)})`
