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
import type { TeamAccess } from '../../access/resource-access.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Catalogue, TeamChange } from '../../library/catalogue.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { VersionPolicyError } from '../../team/teams.ts'
import type { CreditUseStore } from './credit-use.store.ts'
import type { TeamSettingsStore } from './team-settings.store.ts'

const DEFAULT_CREDIT_DAYS = 30

export interface TeamSettingsParts {
  store: TeamSettingsStore
  creditUse: CreditUseStore
  catalogue: Pick<Catalogue, 'changeTeamFor'>
}

export const teamSettingsRoutes = ({ store, creditUse, catalogue }: TeamSettingsParts) => {
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
      await catalogue.changeTeamFor(actor, async (change) => {
        if (name !== undefined) await change.renameTeam(name)
        if (body.units !== undefined) await change.setUnits(body.units)
        if (body.publicDocuments !== undefined) await change.setPublicPolicy(body.publicDocuments)
        if (body.versionPolicy !== undefined) await setVersionPolicy(change, body.versionPolicy)
      })
      return respond(access)
    }),

    serveApp(changeTeamSecurity, async ({ access, body, actor, person }) => {
      if (body.requiresSecondFactor && !person.hasSecondFactor) throw new HttpError('second_factor_missing')
      await catalogue.changeTeamFor(actor, (change) => change.requireSecondFactor(body.requiresSecondFactor))
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
      await catalogue.changeTeamFor(actor, (change) =>
        keepingOwner(change, () => change.setMember(member.id, body.role)),
      )
      return { member: await getMember(access, params.userId) }
    }),

    serveApp(removeMember, async ({ access, params, person, actor }) => {
      const needs = params.userId === person.userId ? 'viewer' : 'owner'
      if (!hasRole(access.role, needs)) throw new HttpError('role_missing')
      const member = await getMember(access, params.userId)
      await catalogue.changeTeamFor({ ...actor, needs }, (change) =>
        keepingOwner(change, () => change.removeMember(member.id)),
      )
    }),
  ]
}

async function setVersionPolicy(change: TeamChange, policy: Partial<VersionPolicy>): Promise<void> {
  try {
    await change.setVersionPolicy(policy)
  } catch (error) {
    if (error instanceof VersionPolicyError)
      throw new HttpError('version_policy_not_acceptable', { cause: error })
    throw error
  }
}

/** Rolls back a change of members that leaves a team without an owner, also when changes are concurrent. */
async function keepingOwner(change: TeamChange, work: () => Promise<unknown>): Promise<void> {
  const hadOwner = await change.hasOwner()
  await work()
  if (hadOwner && !(await change.hasOwner())) throw new HttpError('last_owner_stays')
}
