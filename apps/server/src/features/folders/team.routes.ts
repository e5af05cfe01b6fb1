import { readTeam } from '@meadow/contract'
import { teamOf } from '../../access/resource-scope.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { TeamStore } from './team.store.ts'

export const teamRoutes = (teams: TeamStore) => [
  serve(readTeam, async ({ principal }) => {
    const { name, rootFolderId } = await teams.get(teamOf(principal.resourceScope))
    if (!rootFolderId) throw new HttpError('team_without_root')
    return { team: { name, rootFolderId } }
  }),
]
