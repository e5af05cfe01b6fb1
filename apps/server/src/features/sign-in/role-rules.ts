import type { MemberRole, TeamId } from '@meadow/contract'
import { hasRole } from '@meadow/contract/terms'
import type { ProvidedRoles } from '../../access/provided-roles.ts'
import type { TeamRecord } from '../../team/teams.ts'
import type { ProviderProfile } from './provider-profile.ts'

/** Gives a role in a team to people of a group at the OpenID provider, or with a verified address of a domain (0076). */
export type RoleRule = { readonly team: TeamId; readonly role: MemberRole } & (
  | { readonly group: string }
  /** The domain is in lower case. */
  | { readonly domain: string }
)

/** The roles that the rules give; of several in one team the highest. */
export function findProvidedRoles(
  rules: readonly RoleRule[],
  { groups, verifiedEmail }: ProviderProfile,
): ProvidedRoles {
  const domain = verifiedEmail?.slice(verifiedEmail.indexOf('@') + 1)
  const roles = new Map<TeamId, MemberRole>()
  for (const { team, role, ...of } of rules) {
    if ('group' in of ? !groups.has(of.group) : of.domain !== domain) continue
    const other = roles.get(team)
    if (other === undefined || !hasRole(other, role)) roles.set(team, role)
  }
  return roles
}

/** A rule that gives nothing. */
export interface IdleRule {
  says: string
  remedy: string
}

/** The rules whose team does not exist, or is deleted; logged when the server starts, and found by `meadow-server doctor`. */
export function listIdleRules(
  rules: readonly RoleRule[],
  teams: readonly Pick<TeamRecord, 'id' | 'deletedAt'>[],
): IdleRule[] {
  const byId = new Map(teams.map((team) => [team.id, team]))
  return rules.flatMap(({ team: id }, index): IdleRule[] => {
    const team = byId.get(id)
    if (team && team.deletedAt === null) return []
    const fault = team ? 'whose deletion was asked for' : 'which does not exist'
    return [
      {
        says: `Rule ${index + 1} of MEADOW_OIDC_ROLES gives a role in the team ${id}, ${fault}: it gives nothing.`,
        remedy: 'Take the rule away, or write the id of another team, as "meadow-server team list" shows it.',
      },
    ]
  })
}
