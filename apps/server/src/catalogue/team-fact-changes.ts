import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { HostTakenError, isHostTaken } from './create-team.ts'
import type { TeamFactChanges } from './team-change.ts'

export function createTeamFactChanges(write: Write, team: TeamKey): TeamFactChanges {
  return {
    async renameTeam(name) {
      await write
        .updateTable('team')
        .set({ name: readName(name) })
        .where('id', '=', team)
        .execute()
    },
    async setHost(host) {
      if (host !== null && (await isHostTaken(write, host, team))) throw new HostTakenError(host)
      await write.updateTable('team').set({ host }).where('id', '=', team).execute()
    },
    async setLimits({ bytes, documents }) {
      await write
        .updateTable('team')
        .set({ max_bytes: bytes, max_documents: documents })
        .where('id', '=', team)
        .execute()
    },
  }
}
