import { type Actor, checkActor } from '../access/current-roles.ts'
import { publishChange } from '../content/change-notifications.ts'
import type { Database } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { createDocumentWrites } from '../team-writes/document-writes.ts'
import { createIndexChanges } from '../team-writes/index-changes.ts'
import { raiseVersion } from '../team-writes/raise-version.ts'
import { addCredits } from './add-credits.ts'
import { createBinChanges } from './bin-changes.ts'
import { createDocumentChanges } from './document-changes.ts'
import { createFilingChanges } from './filing-changes.ts'
import { createFolderChanges } from './folder-changes.ts'
import { selectImported } from './imported-documents.ts'
import { createInvitationChanges } from './invitation-changes.ts'
import { createMemberChanges } from './member-changes.ts'
import type { TeamChange } from './team-change.ts'
import { createTeamFactChanges } from './team-fact-changes.ts'
import { createTokenChanges } from './token-changes.ts'

/** `Catalogue.changeTeam`. */
export type ChangeTeam = <T>(team: TeamKey, work: (change: TeamChange) => Promise<T>) => Promise<T>

/** `Catalogue.changeTeamFor`. */
export type ChangeTeamFor = <T>(actor: Actor, work: (change: TeamChange) => Promise<T>) => Promise<T>

export function createChangeTeam(database: Database): {
  changeTeam: ChangeTeam
  changeTeamFor: ChangeTeamFor
} {
  const writes = createDocumentWrites(database)
  const run = <T>(team: TeamKey, actor: Actor | undefined, work: (change: TeamChange) => Promise<T>) =>
    database.transaction(async (write) => {
      // First of all: on PostgreSQL this is the lock that the changes of one team wait for.
      await raiseVersion(write, team)
      if (actor) await checkActor(database, write, actor)
      const index = createIndexChanges()
      const result = await work({
        ...createTokenChanges(write, team),
        ...createMemberChanges(write, team),
        ...createInvitationChanges(write, team),
        ...createTeamFactChanges(write, team),
        ...createFolderChanges(write, team, index),
        ...createDocumentChanges(write, team, writes, index, (document, seq) =>
          publishChange(database, write, document, seq),
        ),
        ...createFilingChanges(write, team, index),
        ...createBinChanges(write, team, index),
        addCredits: (count) => addCredits(write, team, count),
        findImported: (root, paths) => selectImported(write, root, paths),
      })
      await database.searchIndex.apply(write, index.collected())
      return result
    })
  return {
    changeTeam: (team, work) => run(team, undefined, work),
    changeTeamFor: (actor, work) => run(actor.team, actor, work),
  }
}
