import type { Database } from '../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'
import { discardBlobs } from '../team-writes/discard-blobs.ts'
import { type ChangeTeam, type ChangeTeamFor, createChangeTeam } from './change-team.ts'
import { createTeam } from './create-team.ts'
import { selectImported, selectImportedPage } from './imported-documents.ts'
import type { TeamLimits, TeamUse } from './quotas.ts'
import type {
  FolderRecord,
  ImportedDocument,
  ImportedPage,
  NewTeam,
  TeamRecord,
  TokenRecord,
} from './records.ts'
import { listTokens, selectFolders, selectTeams } from './selections.ts'

export type { DocumentSource } from '../team-writes/document-writes.ts'
export { MAX_INLINE_BYTES, type NewContent } from '../team-writes/store-content.ts'
export type * from './records.ts'
export type { TeamChange } from './team-change.ts'

/**
 * What teams there are and what they hold, for those who write: the operator's command, the import, the demo.
 * What the API reads is in the stores of the features.
 */
export interface Catalogue {
  /** Creates the team with its root folder. Throws a `HostTakenError` when another team has that host. */
  createTeam(team: NewTeam): Promise<TeamRecord>
  /** The oldest first. */
  listTeams(): Promise<TeamRecord[]>
  findTeam(id: string): Promise<TeamRecord | undefined>
  /** What the team stores and may store. */
  getQuota(team: TeamKey): Promise<{ limits: TeamLimits; use: TeamUse }>
  /** `id` is a folder id or `root`. */
  findFolder(team: TeamKey, id: string): Promise<FolderRecord | undefined>
  /** The folder of exactly this name directly inside `parent`. */
  findChildFolder(parent: FolderKey, name: string): Promise<FolderRecord | undefined>
  /** The oldest first. */
  listTokens(team: TeamKey): Promise<TokenRecord[]>
  /** The team of a token by the token's public id. */
  findTeamOfToken(id: string): Promise<TeamRecord | undefined>
  /** What earlier imports into the folder `root` made of the files at `paths`, of which some dozens are fine. */
  findImported(root: FolderKey, paths: readonly string[]): Promise<ImportedDocument[]>
  listImported(root: FolderKey, page: ImportedPage): Promise<ImportedDocument[]>
  /**
   * Changes what a team holds, in one transaction, and raises the team's version in it: the only way to write
   * to a team, so that the version cannot be forgotten. Changes of one team wait for each other, and on SQLite
   * all writers do: read and parse files before, and write some dozens of documents at a time.
   */
  changeTeam: ChangeTeam
  /**
   * The same for a request of a user. Throws an `AccessEndedError`, and changes nothing, when the user's session, membership
   * or role is no longer what the change needs.
   */
  changeTeamFor: ChangeTeamFor
  /**
   * Notes blobs that are about to be put for a document. When no document has come to name them some time later, they
   * are removed: whoever put them was killed in between.
   */
  noteBlobs(digests: readonly string[]): Promise<void>
}

export function createCatalogue(database: Database): Catalogue {
  const { read } = database
  return {
    createTeam: (team) => database.transaction((write) => createTeam(write, team)),
    listTeams: () => selectTeams(read).orderBy('team.id').execute(),
    findTeam: async (id) =>
      isPublicId('team', id)
        ? selectTeams(read).where('team.public_id', '=', id).executeTakeFirst()
        : undefined,
    async getQuota(team) {
      const row = await read
        .selectFrom('team')
        .where('id', '=', team)
        .select(['max_bytes', 'max_documents', 'stored_bytes', 'document_count'])
        .executeTakeFirstOrThrow()
      return {
        limits: { bytes: row.max_bytes, documents: row.max_documents },
        use: { bytes: row.stored_bytes, documents: row.document_count },
      }
    },
    async findFolder(team, id) {
      const folders = selectFolders(read).where('team_id', '=', team)
      if (id === 'root') return folders.where('parent_id', 'is', null).executeTakeFirst()
      return isPublicId('fld', id) ? folders.where('public_id', '=', id).executeTakeFirst() : undefined
    },
    findChildFolder: (parent, name) =>
      selectFolders(read).where('parent_id', '=', parent).where('name', '=', name).executeTakeFirst(),
    listTokens: (team) => listTokens(read, team),
    findTeamOfToken: async (id) =>
      isPublicId('tok', id)
        ? selectTeams(read)
            .innerJoin('token', 'token.team_id', 'team.id')
            .where('token.public_id', '=', id)
            .executeTakeFirst()
        : undefined,
    findImported: (root, paths) => selectImported(read, root, paths),
    listImported: (root, page) => selectImportedPage(read, root, page),
    ...createChangeTeam(database),
    noteBlobs: (digests) => database.transaction((write) => discardBlobs(write, digests)),
  }
}
