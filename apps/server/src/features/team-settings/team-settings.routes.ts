import { isIP } from 'node:net'
import {
  changeMember,
  changeTeamSettings,
  listCredits,
  listMembers,
  readTeamSettings,
  removeMember,
} from '@meadow/contract/web'
import type { TeamPlace } from '../../access/places.store.ts'
import { type Catalogue, HostTakenError, type TeamChange } from '../../catalogue/catalogue.ts'
import { serveApp } from '../../http/app/app-route.ts'
import { readNameOrRefuse } from '../../http/app/read-name.ts'
import { hostNameOf, isHostName } from '../../http/host.ts'
import { refuse } from '../../http/refusal.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import type { TeamSettingsStore } from './team-settings.store.ts'

export interface TeamSettingsParts {
  store: TeamSettingsStore
  catalogue: Pick<Catalogue, 'changeTeam'>
  /** The origin under which everyone reaches the server, where it is configured. */
  ownOrigin: string | undefined
}

export const teamSettingsRoutes = ({ store, catalogue, ownOrigin }: TeamSettingsParts) => {
  const tell = async (place: TeamPlace) => {
    const team = await store.read(place)
    if (!team) throw refuse('team_without_root')
    return { team }
  }
  const getMember = async (place: TeamPlace, id: string) => {
    const member = isPublicId('usr', id) ? await store.findMember(place.team, id) : undefined
    if (!member) throw refuse('member_not_found')
    return member
  }

  const ownHost = ownOrigin && hostNameOf(new URL(ownOrigin).host)

  return [
    serveApp(readTeamSettings, ({ here }) => tell(here)),

    serveApp(changeTeamSettings, async ({ here, body, host: current }) => {
      const name = body.name === undefined ? undefined : readNameOrRefuse(body.name)
      const host = readHost(body.hostName)
      // Whoever took the name that everyone comes under would keep all other teams out.
      const isShared = host === ownHost || (host === current && host !== (await tell(here)).team.hostName)
      if (host && isShared) throw refuse('host_name_taken')
      await catalogue
        .changeTeam(here.team, async (change) => {
          if (name !== undefined) await change.renameTeam(name)
          if (host !== undefined) await change.setHost(host)
        })
        .catch((error) => {
          throw error instanceof HostTakenError ? refuse('host_name_taken') : error
        })
      return tell(here)
    }),

    serveApp(listCredits, ({ here, query }) => store.listCredits(here.team, query.after)),

    serveApp(listMembers, async ({ here }) => ({ members: await store.listMembers(here.team) })),

    serveApp(changeMember, async ({ here, params, body }) => {
      const member = await getMember(here, params.userId)
      await catalogue.changeTeam(here.team, (change) =>
        keepingOwner(change, () => change.setMember(member.id, body.role)),
      )
      return { member: await getMember(here, params.userId) }
    }),

    serveApp(removeMember, async ({ here, params, person }) => {
      if (here.role !== 'owner' && params.userId !== person.userId) throw refuse('role_missing')
      const member = await getMember(here, params.userId)
      await catalogue.changeTeam(here.team, (change) =>
        keepingOwner(change, () => change.removeMember(member.id)),
      )
    }),
  ]
}

/** Null takes the host name away; undefined leaves it. */
function readHost(text: string | null | undefined): string | null | undefined {
  if (text === undefined || text === null) return text
  const host = text.trim().toLowerCase()
  if (!isHostName(host) || !host.includes('.') || isIP(host)) throw refuse('host_name_not_acceptable')
  return host
}

/** Undoes a change of the people that leaves a team without an owner, however many make one at once. */
async function keepingOwner(change: TeamChange, work: () => Promise<unknown>): Promise<void> {
  const hadOwner = await change.hasOwner()
  await work()
  if (hadOwner && !(await change.hasOwner())) throw refuse('last_owner_stays')
}
