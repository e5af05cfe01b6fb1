import { hasRole } from '@meadow/contract'
import {
  changeMember,
  changeTeamSecurity,
  changeTeamSettings,
  listCredits,
  listMembers,
  readCreditUse,
  readTeamSettings,
  removeMember,
  type VersionPolicy,
} from '@meadow/contract/web'
import { changeTeamFor } from '../../access/current-roles.ts'
import { endMembership, hasOwner, setMember } from '../../access/members.ts'
import type { TeamAccess } from '../../access/resource-access.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database } from '../../platform/database/database.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import {
  renameTeam,
  requireSecondFactor,
  setPublicPolicy,
  setUnits,
  setVersionPolicy,
  VersionPolicyError,
} from '../../team/teams.ts'
import type { CreditUseStore } from './credit-use.store.ts'
import type { TeamSettingsStore } from './team-settings.store.ts'

const DEFAULT_CREDIT_DAYS = 30

export interface TeamSettingsParts {
  store: TeamSettingsStore
  creditUse: CreditUseStore
  database: Database
}

export const teamSettingsRoutes = ({ store, creditUse, database }: TeamSettingsParts) => {
  const respond = async (access: TeamAccess) => {
    const team = await store.read(access)
    if (!team) throw new HttpError('team_without_root')
    return { team }
  }
  const getMember = async (access: TeamAccess, id: string) => {
    const member = isPublicId('usr', id) ? await store.findMember(access.team, id) : undefined
    if (!member) throw new HttpError('member_not_found')
    return member
  }

  return [
    serveApp(readTeamSettings, ({ access }) => respond(access)),

    serveApp(changeTeamSettings, async ({ access, body, actor }) => {
      if (body.hostName !== undefined) throw new HttpError('host_name_of_operator')
      const name = body.name === undefined ? undefined : readNameInput(body.name)
      await changeTeamFor(database, actor, async (change) => {
        if (name !== undefined) await renameTeam(change, name)
        if (body.units !== undefined) await setUnits(change, body.units)
        if (body.publicDocuments !== undefined) await setPublicPolicy(change, body.publicDocuments)
        if (body.versionPolicy !== undefined) await applyVersionPolicy(change, body.versionPolicy)
      })
      return respond(access)
    }),

    serveApp(changeTeamSecurity, async ({ access, body, actor, person }) => {
      if (body.requiresSecondFactor && !person.hasSecondFactor) throw new HttpError('second_factor_missing')
      await changeTeamFor(database, actor, (change) => requireSecondFactor(change, body.requiresSecondFactor))
      return respond(access)
    }),

    serveApp(listCredits, ({ access, query }) => store.listCredits(access.team, query.after)),

    serveApp(readCreditUse, async ({ access, query: { days = DEFAULT_CREDIT_DAYS, zone = 'UTC' } }) => {
      const use = await creditUse.read(access.team, { days, zone, now: Date.now() })
      if (!use) throw new HttpError('time_zone_unknown')
      return use
    }),

    serveApp(listMembers, async ({ access }) => ({ members: await store.listMembers(access.team) })),

    serveApp(changeMember, async ({ access, params, body, actor }) => {
      const member = await getMember(access, params.userId)
      await changeTeamFor(database, actor, (change) =>
        keepingOwner(change, () => setMember(change, member.id, body.role)),
      )
      return { member: await getMember(access, params.userId) }
    }),

    serveApp(removeMember, async ({ access, params, person, actor }) => {
      const needs = params.userId === person.userId ? 'viewer' : 'owner'
      if (!hasRole(access.role, needs)) throw new HttpError('role_missing')
      const member = await getMember(access, params.userId)
      await changeTeamFor(database, { ...actor, needs }, (change) =>
        keepingOwner(change, () => endMembership(change, member.id)),
      )
    }),
  ]
}

async function applyVersionPolicy(change: TeamTransaction, policy: Partial<VersionPolicy>): Promise<void> {
  try {
    await setVersionPolicy(change, policy)
  } catch (error) {
    if (error instanceof VersionPolicyError)
      throw new HttpError('version_policy_not_acceptable', { cause: error })
    throw error
  }
}

/** Rolls back a change of members that leaves a team without an owner, also when changes are concurrent. */
async function keepingOwner(change: TeamTransaction, work: () => Promise<unknown>): Promise<void> {
  const hadOwner = await hasOwner(change)
  await work()
  if (hadOwner && !(await hasOwner(change))) throw new HttpError('last_owner_stays')
}
