import { randomBytes } from 'node:crypto'
import {
  ALL_SCOPES,
  type DocumentId,
  type GraphContent,
  type MemberRole,
  type SolutionId,
  type TeamId,
  type UserId,
} from '@meadow/contract'
import { setMember } from '@meadow/server/src/access/members.ts'
import { openSessionSecret, writeSessionCookie } from '@meadow/server/src/access/session-cookie.ts'
import { createSessionStore } from '@meadow/server/src/access/sessions.store.ts'
import { createToken } from '@meadow/server/src/access/team-tokens.ts'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createUserStore } from '@meadow/server/src/access/users.store.ts'
import {
  type Outcome as ChargedOutcome,
  createSolveStore,
  type SolveStore,
} from '@meadow/server/src/features/solves/solves.store.ts'
import { createDocument } from '@meadow/server/src/library/documents.ts'
import { ensureFolder, findFolder } from '@meadow/server/src/library/folders.ts'
import type { BlobStore } from '@meadow/server/src/platform/blobs/blobs.ts'
import { putCompressed } from '@meadow/server/src/platform/blobs/compressed-bodies.ts'
import { blobsIn, openBlobs } from '@meadow/server/src/platform/blobs/open-blobs.ts'
import type { Database } from '@meadow/server/src/platform/database/database.ts'
import { type DatabaseLocation, openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import type { DocumentKey, TeamKey } from '@meadow/server/src/platform/database/tables.ts'
import { storeContentBytes } from '@meadow/server/src/team/content-blobs.ts'
import type { FolderRecord } from '@meadow/server/src/team/folders.ts'
import { changeTeam } from '@meadow/server/src/team/team-transaction.ts'
import { createTeam as insertTeam } from '@meadow/server/src/team/teams.ts'

/** The stores in which teams are created before a server uses them. Disposal closes the database. */
export interface Stores extends AsyncDisposable {
  readonly dataDir: string
  readonly database: Database
  readonly blobs: BlobStore
  readonly solves: SolveStore
}

/** A member of a team, signed in. */
export interface SignedInMember {
  user: UserId
  /** The cookie of a session. */
  cookie: string
}

type SolveLease = Parameters<SolveStore['complete']>[0]
type Solved = Omit<Extract<ChargedOutcome, { state: 'solved' }>, 'chargedMs'>

/** A team with credits, and a token with every scope. */
export interface Team {
  readonly id: TeamId
  readonly key: TeamKey
  readonly root: FolderRecord
  readonly token: string
  /** Creates a document, in the root folder unless another one is named. */
  addDocument(
    name: string,
    content: GraphContent | Uint8Array,
    options?: { folder?: string; isPublic?: boolean },
  ): Promise<{ id: DocumentId; key: DocumentKey }>
  addMember(name: string, role?: MemberRole): Promise<SignedInMember>
  /** Stores the outcome of a solve of a document. */
  addSolution(document: DocumentKey, solve: (lease: SolveLease) => Promise<Solved>): Promise<void>
}

const CREDITS = 10_000_000
const TERMS = { leaseMs: 3_600_000, maxTenths: 600 }
const DAY_MS = 24 * 3600 * 1000

/** Opens an empty database, and the blobs in `dataDir` unless others are given. */
export async function openStores(location: DatabaseLocation, others?: BlobStore): Promise<Stores> {
  const { dataDir } = location
  const database = await openDatabase(location)
  return {
    dataDir,
    database,
    blobs: others ?? (await openBlobs(blobsIn(dataDir))),
    solves: createSolveStore(database),
    [Symbol.asyncDispose]: () => database.close(),
  }
}

export async function createTeam(stores: Stores, name: string): Promise<Team> {
  const { blobs, database, solves } = stores
  const { id, key } = await insertTeam(database, { name, credits: CREDITS })
  const root = (await findFolder(database.read, key, 'root'))!
  const token = createTokenSecret()
  await changeTeam(database, key, (change) =>
    createToken(change, { name: 'bench', secret: token, scopes: ALL_SCOPES }),
  )
  return {
    ...{ id, key, root, token },
    async addDocument(name, graph, { folder, isPublic = false } = {}) {
      const bytes = graph instanceof Uint8Array ? graph : Buffer.from(JSON.stringify(graph))
      const content = await storeContentBytes(blobs, bytes)
      const visibility = isPublic ? 'public' : 'private'
      return changeTeam(database, key, async (change) => {
        const place = folder === undefined ? root : await ensureFolder(change, root.key, folder)
        return createDocument(change, {
          ...{ folder: place.key, name, createdAt: 0, updatedAt: 0, content, visibility },
        })
      })
    },
    addMember: (name, role = 'member') => addMember(stores, key, { name, role }),
    async addSolution(document, solve) {
      await solves.request(key, [document])
      const lease = (await solves.lease(TERMS))!
      const outcome = await solve(lease)
      await solves.complete(lease, { ...outcome, chargedMs: outcome.durationMs })
    },
  }
}

async function addMember(
  { database, dataDir }: Stores,
  team: TeamKey,
  { name, role }: { name: string; role: MemberRole },
): Promise<SignedInMember> {
  const { id: user } = await createUserStore(database).createUser({ email: `${name}@example.org`, name })
  await changeTeam(database, team, (change) => setMember(change, user, role))
  const secret = await openSessionSecret(dataDir, undefined)
  const session = { user, expiresAt: Date.now() + DAY_MS, userAgent: 'bench' }
  const created = await createSessionStore(database, secret).createSession(session)
  return { user, cookie: writeSessionCookie(created, { secret, isSecure: false }) }
}

/** Returns an outcome with these files for a solve that was not made. */
export const solvedWith = (files: Solved['files']): Solved => ({
  ...{ state: 'solved', seq: 1, endedAt: 0, durationMs: 1, files },
})

/** Stores a solution without solving: values of about this compressed size. Returns the digest of its gzip body. */
export async function storeValues(
  { blobs }: Pick<Stores, 'blobs'>,
  team: Team,
  document: DocumentKey,
  bytes: number,
): Promise<string> {
  let digest = ''
  await team.addSolution(document, async ({ id }) => {
    const { gzip, zstd, bytes: valuesBytes } = await putCompressed(blobs, largeBody(id, bytes))
    digest = gzip.digest
    return solvedWith({ valuesGzip: digest, valuesZstd: zstd.digest, valuesBytes, model: undefined })
  })
  return digest
}

/** Yields a body of random base64 texts with about this compressed size: base64 compresses by a quarter. */
function* largeBody(solutionId: SolutionId, bytes: number): Generator<Uint8Array> {
  const perValue = 3 * 2 ** 14
  yield Buffer.from(`{"data":{"solutionId":"${solutionId}","a":{"b":{"branches":[{"path":"{0}","values":[`)
  for (let made = 0; made < bytes; made += perValue) {
    const text = randomBytes(perValue).toString('base64')
    yield Buffer.from(`${made === 0 ? '' : ','}{"type":"string","value":"${text}"}`)
  }
  const rest = { includesGeometry: false, solvedAt: new Date(0).toISOString(), durationMs: 1, messages: [] }
  yield Buffer.from(`]}]}}},${JSON.stringify(rest).slice(1)}`)
}
