import { rm } from 'node:fs/promises'
import {
  ALL_SCOPES,
  type DocumentId,
  type FolderId,
  type Scope,
  type TeamFileId,
  type TokenId,
  type Visibility,
} from '@meadow/contract'
import { createToken } from '../access/team-tokens.ts'
import { createTokenSecret } from '../access/tokens.ts'
import { readConfig } from '../config.ts'
import { createDocument } from '../library/documents.ts'
import { ensureFolder, findFolder } from '../library/folders.ts'
import { createFile } from '../library/team-files.ts'
import type { Database } from '../platform/database/database.ts'
import type { FolderKey } from '../platform/database/tables.ts'
import { createLog, type Log } from '../platform/log.ts'
import { startService } from '../service.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { createTeam, type TeamRecord } from '../team/teams.ts'
import { atEnd, type TestScope } from './at-end.ts'
import { createDataFolder } from './data-folders.ts'

/** A response as a script sees it. */
export interface TestResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  json: any
}

export interface GivenDocument {
  name?: string
  folder?: FolderKey
  visibility?: Visibility
  createdAt?: number
  updatedAt?: number
  content?: object
}

/** One for all: each log waits for the process to end. */
const SILENT = createLog('silent')

const EMPTY = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

/** A real server on a free port over a fresh database, with one team that has a root folder and a token. */
export async function startServer(t: TestScope, env: Record<string, string> = {}, log: Log = SILENT) {
  const dataDir = await createDataFolder('meadow-test-')
  const config = readConfig({
    MEADOW_DATA_DIR: dataDir,
    MEADOW_PORT: '0',
    // No load balancer needs a notice.
    MEADOW_STOP_NOTICE_SECONDS: '0',
    ...env,
  })
  const service = await startService(config, log)
  const { address, database } = service
  atEnd(t, async () => {
    await service.stop()
    await rm(dataDir, { recursive: true })
  })

  const fixtures = createFixtures(database)
  const team = await fixtures.team('Acme')
  const { secret } = await fixtures.token(team)

  /** Sends a request to the API; `path` is relative to the prefix. */
  const get = (path: string, { token = secret, ...init }: RequestInit & { token?: string | null } = {}) =>
    request(`/api/v1${path}`, { token, ...init })

  const request = async (
    path: string,
    { token = null, ...init }: RequestInit & { token?: string | null } = {},
  ): Promise<TestResponse> => {
    const headers = new Headers(init.headers)
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(address + path, { redirect: 'manual', ...init, headers })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text ? JSON.parse(text) : undefined,
    }
  }

  return { service, address, dataDir, database, fixtures, team, secret, get, request }
}

/** Makes what a test starts from. */
function createFixtures(database: Database) {
  const root = async (team: TeamRecord) => (await findFolder(database.read, team.key, 'root'))!
  return {
    root,
    team: (name: string, host?: string) => createTeam(database, { name, host, publicDocuments: true }),
    token: async (
      team: TeamRecord,
      limits: {
        scopes?: readonly Scope[]
        expiresAt?: number
        folders?: readonly FolderId[]
        origins?: readonly string[]
      } = {},
    ): Promise<{ id: TokenId; secret: string }> => {
      const secret = createTokenSecret()
      const { id } = await changeTeam(database, team.key, (change) =>
        createToken(change, { name: 'test', secret, scopes: ALL_SCOPES, ...limits }),
      )
      return { id, secret }
    },
    /** Folders inside each other from the root on; the last one is returned. */
    folder: (team: TeamRecord, ...names: string[]) =>
      changeTeam(database, team.key, async (change) => {
        let folder = await root(team)
        for (const name of names) folder = await ensureFolder(change, folder.key, name)
        return folder
      }),
    /** A model whose bytes are nowhere. */
    file: async (team: TeamRecord, folder?: FolderKey): Promise<TeamFileId> => {
      const source = {
        from: 'upload',
        path: `${Math.random()}.3dm`,
        sha256: 'aa',
        blob: 'aa',
        sizeBytes: 1,
        mtimeMs: 1,
      }
      const home = folder ?? (await root(team)).key
      const created = await changeTeam(database, team.key, (change) =>
        createFile(change, {
          ...{ folder: home, name: 'Site.3dm', kind: 'model', facts: '{"kind":"model"}', objectIds: [] },
          source: { ...source, root: home },
        }),
      )
      return created.id
    },
    document: async (team: TeamRecord, document: GivenDocument = {}): Promise<DocumentId> => {
      const folder = document.folder ?? (await root(team)).key
      const created = await changeTeam(database, team.key, (change) =>
        createDocument(change, {
          folder,
          name: document.name ?? 'Tower',
          visibility: document.visibility,
          createdAt: document.createdAt ?? Date.UTC(2026, 0, 1),
          updatedAt: document.updatedAt ?? Date.UTC(2026, 0, 2),
          content: { kind: 'inline', bytes: Buffer.from(JSON.stringify(document.content ?? EMPTY)) },
        }),
      )
      return created.id
    },
  }
}
