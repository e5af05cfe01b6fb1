import { type CommandContext, CommandFailure, printable } from '@meadow/command'
import { findSessionSecret, openSessionSecret } from '../access/session-cookie.ts'
import { createSessionStore, type SessionStore } from '../access/sessions.store.ts'
import { createUserStore, type UserRecord, type UserStore } from '../access/users.store.ts'
import { recordCommand } from '../audit/record-command.ts'
import { type Config, readConfig } from '../config.ts'
import type { SavedSecret } from '../features/backup/moments.ts'
import { createSolveStore, type SolvableDocument, type SolveStore } from '../features/solves/solves.store.ts'
import { findChildFolder, findFolder } from '../library/folders.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import { openBlobs } from '../platform/blobs/open-blobs.ts'
import { openServiceBlobs, type ServiceBlobs } from '../platform/cluster/blob-stores.ts'
import { registerProcess } from '../platform/cluster/processes.ts'
import { ensureDataFolder } from '../platform/data-folder.ts'
import type { Database } from '../platform/database/database.ts'
import { getSchemaVersion } from '../platform/database/migrate.ts'
import { openAsItIs, openDatabase } from '../platform/database/open-database.ts'
import { SCHEMA_VERSION } from '../platform/database/schema/migrations.ts'
import { hasSqlite } from '../platform/database/sqlite/sqlite.ts'
import type { FolderRecord } from '../team/folders.ts'
import { findTeam, type TeamRecord } from '../team/teams.ts'

/** The data that a command works on, possibly beside a running server. */
export interface Storage extends AsyncDisposable {
  dataDir: string
  /** The limits of child processes. */
  jobs: Config['jobs']
  database: Database
  /** Opens the blob store. From then on the other processes know that this one uses it. */
  openBlobs(): Promise<ServiceBlobs>
  solves: SolveStore
  users: UserStore
  /** Generates the secret of session cookies when there is none yet. */
  openSessions(): Promise<SessionStore>
}

/**
 * Opens the database. Fails with a sentence when there is none, unless `isFirst`: the command may be the first one, and
 * creates it. The audit log says that the command ran, unless it has to work where nothing can be written. Changes that
 * the operator should know of are printed as warnings.
 */
export async function openStorage(
  { env, output }: Pick<CommandContext, 'env' | 'output'>,
  { isFirst = false, isRecorded = true } = {},
): Promise<Storage> {
  const config = readConfig(env)
  if (!isFirst) checkDatabase(config)
  const notify = (sentence: string) => output.warning(printable(sentence))
  const database = await openDatabase(config, { notify })
  const closing = new AsyncDisposableStack()
  closing.defer(database.close)
  if (isRecorded) await recordCommand(database)
  let opened: Promise<ServiceBlobs> | undefined

  return {
    dataDir: config.dataDir,
    jobs: config.jobs,
    database,
    openBlobs() {
      // The folder was not checked before if the database is PostgreSQL.
      ensureDataFolder(config.dataDir, notify)
      opened ??= openRegistered(config, database, closing)
      return opened
    },
    solves: createSolveStore(database),
    users: createUserStore(database),
    openSessions: async () =>
      createSessionStore(database, await openSessionSecret(config.dataDir, config.sessionSecret)),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function openRegistered(
  { blobsLocation, databaseConnections: connections }: Config,
  database: Database,
  closing: AsyncDisposableStack,
): Promise<ServiceBlobs> {
  const store = await openServiceBlobs(database, blobsLocation)
  const registered = await registerProcess(database, { kind: 'command', connections, blobStore: store.id })
  closing.defer(registered.close)
  return store
}

function checkDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || hasSqlite(dataDir)) return
  throw new CommandFailure(
    `There is no database in "${printable(dataDir)}" yet. Set MEADOW_DATA_DIR to the folder that the server ` +
      'uses, or begin with "meadow-server team create NAME".',
  )
}

/** The data of a service, to be saved. */
export interface ExistingStorage extends AsyncDisposable {
  database: Database
  openBlobs(): Promise<BlobStore>
  findSessionSecret(): Promise<SavedSecret>
}

/** Opens the data without a migration, also those of an earlier version. Fails as `openStorage` does. */
export async function openExistingStorage({
  env,
  output,
}: Pick<CommandContext, 'env' | 'output'>): Promise<ExistingStorage> {
  const config = readConfig(env)
  checkDatabase(config)
  const database = await openAsItIs(config, { notify: (sentence) => output.warning(printable(sentence)) })
  const closing = new AsyncDisposableStack()
  closing.defer(database.close)
  const isUpToDate = (await getSchemaVersion(database)) === SCHEMA_VERSION
  if (isUpToDate) await recordCommand(database)
  return {
    database,
    async openBlobs() {
      if (isUpToDate) return (await openRegistered(config, database, closing)).blobs
      return openBlobs(config.blobsLocation)
    },
    async findSessionSecret() {
      if (config.sessionSecret !== undefined) return { kind: 'configured' }
      const secret = await findSessionSecret(config.dataDir)
      return secret === undefined ? { kind: 'none' } : { kind: 'generated', secret }
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** The team with this id. Fails with a sentence when there is none. */
export async function getTeam(database: Database, id: string): Promise<TeamRecord> {
  const team = await findTeam(database.read, id)
  if (!team) throw new CommandFailure(`There is no team "${id}". "meadow-server team list" shows all teams.`)
  return team
}

/** Finds a folder by its id, or its path from the root, such as `Projects/Tower`. Fails with a sentence without one. */
export async function getFolderAt(
  database: Database,
  team: TeamRecord,
  idOrPath: string,
): Promise<FolderRecord> {
  let folder = await findFolder(database.read, team.key, idOrPath)
  if (!folder) {
    folder = await findFolder(database.read, team.key, 'root')
    for (const name of idOrPath.split('/').filter((name) => name !== '')) {
      folder = folder && (await findChildFolder(database.read, folder.key, name))
    }
  }
  if (!folder)
    throw new CommandFailure(`The team "${printable(team.name)}" has no folder "${printable(idOrPath)}".`)
  return folder
}

/** The user with this e-mail address. Fails with a sentence when there is none. */
export async function getUser(users: UserStore, email: string): Promise<UserRecord> {
  const user = await users.findUser(email)
  if (!user) {
    throw new CommandFailure(
      `There is no user "${email}". "meadow-server user list" shows all users, "user create" makes one.`,
    )
  }
  return user
}

/** The documents with these ids, each once. Fails when one of them does not exist. */
export async function getDocuments(
  { solves }: Pick<Storage, 'solves'>,
  ids: readonly string[],
): Promise<SolvableDocument[]> {
  const wanted = [...new Set(ids)]
  const found = await solves.findDocuments(wanted)
  const missing = wanted.find((id) => !found.some((document) => document.id === id))
  if (missing !== undefined) throw new CommandFailure(`There is no document "${printable(missing)}".`)
  return found
}
