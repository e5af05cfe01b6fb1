import type { FolderId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'

/** The queries of the API about the team. */
export interface TeamStore {
  /** The team; `rootFolderId` is undefined when the team is not set up correctly. */
  get(team: TeamKey): Promise<{ name: string; rootFolderId: FolderId | undefined }>
}

export function createTeamStore(database: Database): TeamStore {
  const teamWithRoot = database.prepare((read, { team }: { team: TeamKey }) =>
    read
      .selectFrom('team')
      .leftJoin('folder', (join) =>
        join.onRef('folder.team_id', '=', 'team.id').on('folder.parent_id', 'is', null),
      )
      .where('team.id', '=', team)
      .select(['team.name', 'folder.public_id as root']),
  )
  return {
    async get(team) {
      const row = await teamWithRoot.first({ team })
      if (!row) throw new Error(`There is no team ${team}.`)
      return { name: row.name, rootFolderId: row.root ?? undefined }
    },
  }
}
