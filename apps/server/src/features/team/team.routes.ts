import { readTeam } from '@meadow/contract'
import { refuse } from '../../http/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { TeamStore } from './team.store.ts'

export const teamRoutes = (teams: TeamStore) => [
  serve(readTeam, async ({ reader }) => {
    const { name, rootFolderId } = await teams.get(reader.team)
    if (!rootFolderId) throw refuse('team_without_root')
    return { team: { name, rootFolderId } }
  }),
]
