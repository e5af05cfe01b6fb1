import type { TokenId } from '@meadow/contract'
import { type Actor, checkActor } from '../access/current-roles.ts'
import {
  createInvitationChanges,
  createMemberChanges,
  type InvitationChanges,
  type MemberChanges,
} from '../access/members.ts'
import { createTokenChanges, listTokens, type TokenChanges, type TokenRecord } from '../access/team-tokens.ts'
import { readTokenPolicy, type TokenPolicy } from '../access/token-policy.ts'
import { hashToken } from '../access/tokens.ts'
import { type AuditEvent, recordEvent } from '../audit/record-event.ts'
import { publishChange } from '../content/change-notifications.ts'
import { createVersionChanges, type VersionChanges } from '../content/history/version-changes.ts'
import type { Database } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'
import { discardBlobs } from '../team/content-blobs.ts'
import { createDocumentWrites } from '../team/document-writes.ts'
import type { FolderRecord } from '../team/folders.ts'
import { createIndexChanges } from '../team/index-changes.ts'
import type { TeamLimits, TeamUse } from '../team/quotas.ts'
import { raiseVersion, takeTimes } from '../team/raise-version.ts'
import {
  addCredits,
  createTeam,
  createTeamSettingChanges,
  type NewTeam,
  selectTeams,
  TeamDeletedError,
  type TeamRecord,
  type TeamSettingChanges,
} from '../team/teams.ts'
import { type BinChanges, createBinChanges } from './bin.ts'
import {
  createDocumentChanges,
  createFilingChanges,
  type DocumentChanges,
  type FilingChanges,
} from './documents.ts'
import {
  createFolderChanges,
  type FolderBelow,
  type FolderChanges,
  selectFolders,
  selectFoldersBelow,
} from './folders.ts'
import {
  type ImportedDocument,
  type ImportedFile,
  type ImportedItem,
  type ImportedPage,
  selectImported,
  selectImportedDocuments,
  selectImportedFiles,
} from './imported.ts'
import { createFindItems, type FindItems } from './items.ts'
import { createSourceChanges, type SourceChanges } from './sources.ts'
import { createTeamFileChanges, type TeamFileChanges } from './team-files.ts'
import { createWebhookChanges, type WebhookChanges } from './webhooks.ts'

export type { NewToken, TokenRecord } from '../access/team-tokens.ts'
export type { TokenPolicy, TokenPolicyEffect } from '../access/token-policy.ts'
export { MAX_INLINE_BYTES, type NewContent } from '../team/content-blobs.ts'
export type { DocumentSource, SourceFacts } from '../team/document-writes.ts'
export type { FolderRecord } from '../team/folders.ts'
export type { NewTeam, TeamRecord } from '../team/teams.ts'
export type { NewDocument } from './documents.ts'
export type { FolderBelow } from './folders.ts'
export type { ImportedDocument, ImportedItem } from './imported.ts'
export type { TeamFileContent } from './team-files.ts'

/**
 * The teams and what they hold, for the code that writes: the operator's commands, the import, the demo and the app API.
 * The queries that the API reads with are in the stores of the features.
 */
export interface Catalogue {
  /** The time by the clock of the database, in milliseconds since 1970: ends of tokens and links are counted from it. */
  now(): number
  /** Creates the team with its root folder. Throws a `HostTakenError` when another team has that host. */
  createTeam(team: NewTeam): Promise<TeamRecord>
  /** Lists all teams, oldest first. */
  listTeams(): Promise<TeamRecord[]>
  findTeam(id: string): Promise<TeamRecord | undefined>
  /** Reads what the team stores and how much it may store. */
  getQuota(team: TeamKey): Promise<{ limits: TeamLimits; use: TeamUse }>
  /** `id` is a folder id or `root`. */
  findFolder(team: TeamKey, id: string): Promise<FolderRecord | undefined>
  /** The folder of exactly this name directly inside `parent`. */
  findChildFolder(parent: FolderKey, name: string): Promise<FolderRecord | undefined>
  /** Lists the tokens of a team, oldest first. */
  listTokens(team: TeamKey): Promise<TokenRecord[]>
  getTokenPolicy(team: TeamKey): Promise<TokenPolicy>
  /** The id of the token with this secret, whether it is valid or not. */
  findTokenBySecret(secret: string): Promise<TokenId | undefined>
  /** The team of a token by the token's public id. */
  findTeamOfToken(id: string): Promise<TeamRecord | undefined>
  /** Does what `TeamChange.findImported` does. */
  findImported(root: FolderKey, paths: readonly string[]): Promise<ImportedItem[]>
  /** What earlier imports into the folder `root` made of files, those in the bin included, in the order of keys. */
  listImportedDocuments(root: FolderKey, page: ImportedPage): Promise<ImportedDocument[]>
  listImportedFiles(root: FolderKey, page: ImportedPage): Promise<ImportedFile[]>
  /** Every folder below `root`, at any depth, also those in the bin; parents and older ones first. */
  listFoldersBelow(root: FolderKey): Promise<FolderBelow[]>
  /**
   * Changes what a team holds in one transaction, which also raises the team's version: the only way to write to a
   * team, so that the version cannot be forgotten. Changes of one team wait for each other, and on SQLite all writers
   * do: read and parse files before, and write a few dozen documents at a time. Throws a `TeamDeletedError` for a team
   * whose deletion was asked for.
   */
  changeTeam: ChangeTeam
  /**
   * Does what `changeTeam` does, for a request of a user. Throws an `AccessEndedError`, and changes nothing, when the
   * user's session, membership or role is no longer sufficient.
   */
  changeTeamFor: ChangeTeamFor
  /**
   * Marks blobs that are about to be put for a document. If no document refers to them some time later, because the
   * process that put them was killed, they are removed.
   */
  discardBlobsUnlessUsed(digests: readonly string[]): Promise<void>
}

/** `Catalogue.changeTeam`. */
export type ChangeTeam = <T>(team: TeamKey, work: (change: TeamChange) => Promise<T>) => Promise<T>

/** `Catalogue.changeTeamFor`. */
export type ChangeTeamFor = <T>(actor: Actor, work: (change: TeamChange) => Promise<T>) => Promise<T>

/** The changes that can be made to a team inside `changeTeam`. */
export interface TeamChange
  extends TokenChanges,
    MemberChanges,
    InvitationChanges,
    TeamSettingChanges,
    FolderChanges,
    DocumentChanges,
    FilingChanges,
    TeamFileChanges,
    SourceChanges,
    VersionChanges,
    BinChanges,
    FindItems,
    WebhookChanges {
  /** Adds whole credits; returns how many tenths of a credit the team has now. */
  addCredits(count: number): Promise<number>
  /**
   * What earlier imports into the folder `root` made of the files at `paths` (a few dozen at most), in the bin or not. Of
   * several with one path, the last one is that of the file.
   */
  findImported(root: FolderKey, paths: readonly string[]): Promise<ImportedItem[]>
  /** Records an event of the team in the audit log. */
  record(event: Omit<AuditEvent, 'team'>): void
  /** Takes the times of `count` changes: see `takeTimes`. */
  takeTimes(count: number): Promise<number[]>
}

export function createCatalogue(database: Database): Catalogue {
  const { read } = database
  return {
    now: () => timeOf(database.read),
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
    getTokenPolicy: (team) => readTokenPolicy(read, team),
    findTokenBySecret: async (secret) => {
      const token = read.selectFrom('token').where('hash', '=', hashToken(secret)).select('public_id as id')
      return (await token.executeTakeFirst())?.id
    },
    findTeamOfToken: async (id) =>
      isPublicId('tok', id)
        ? selectTeams(read)
            .innerJoin('token', 'token.team_id', 'team.id')
            .where('token.public_id', '=', id)
            .executeTakeFirst()
        : undefined,
    findImported: (root, paths) => selectImported(read, root, paths),
    listImportedDocuments: (root, page) => selectImportedDocuments(read, root, page),
    listImportedFiles: (root, page) => selectImportedFiles(read, root, page),
    listFoldersBelow: (root) => selectFoldersBelow(read, root),
    ...createChangeTeam(database),
    discardBlobsUnlessUsed: (digests) => database.transaction((write) => discardBlobs(write, digests)),
  }
}

function createChangeTeam(database: Database): {
  changeTeam: ChangeTeam
  changeTeamFor: ChangeTeamFor
} {
  const writes = createDocumentWrites(database)
  const run = <T>(team: TeamKey, actor: Actor | undefined, work: (change: TeamChange) => Promise<T>) =>
    database.transaction(async (write) => {
      // First: on PostgreSQL this takes the lock that changes of one team wait for.
      const deletedAt = await raiseVersion(write, team)
      if (actor) await checkActor(database, write, actor)
      if (deletedAt !== null) throw new TeamDeletedError()
      const index = createIndexChanges()
      const result = await work({
        ...createTokenChanges(write, team),
        ...createMemberChanges(write, team),
        ...createInvitationChanges(write, team),
        ...createTeamSettingChanges(database, write, team),
        ...createFolderChanges(write, team, index),
        ...createDocumentChanges(write, team, writes, index, (document, seq) =>
          publishChange(database, write, document, seq),
        ),
        ...createFilingChanges(write, team, index),
        ...createTeamFileChanges(write, team),
        ...createSourceChanges(write, team, writes),
        ...createVersionChanges(write, team, writes, index, (document, seq) =>
          publishChange(database, write, document, seq),
        ),
        ...createBinChanges(database, write, team, index),
        ...createFindItems(write, team),
        ...createWebhookChanges(write, team),
        addCredits: (count) => addCredits(write, team, count),
        findImported: (root, paths) => selectImported(write, root, paths),
        record: (event) => recordEvent(write, { ...event, team }),
        takeTimes: (count) => takeTimes(write, team, count),
      })
      await database.searchIndex.apply(write, index.collected())
      return result
    })
  return {
    changeTeam: (team, work) => run(team, undefined, work),
    changeTeamFor: (actor, work) => run(actor.team, actor, work),
  }
}
