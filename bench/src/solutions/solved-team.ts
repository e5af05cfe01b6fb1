import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ALL_SCOPES, type DocumentId, type GraphContent, type SolutionId } from '@meadow/contract'
import { openModelLibrary } from '@meadow/model'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createCatalogue } from '@meadow/server/src/catalogue/catalogue.ts'
import {
  createDocumentContents,
  type DocumentContents,
} from '@meadow/server/src/content/document-contents.ts'
import { solveDocument } from '@meadow/server/src/features/solves/solve-document.ts'
import { createSolveStore, type SolveStore } from '@meadow/server/src/features/solves/solves.store.ts'
import type { BlobStore } from '@meadow/server/src/platform/blobs/blobs.ts'
import { putCompressed } from '@meadow/server/src/platform/blobs/compressed-bodies.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { longLists, manyObjects } from './graphs.ts'

/** A solved document, and the file of its solution. */
export interface SolvedDocument {
  id: DocumentId
  solution: SolutionId
  /** The file of the gzip body. */
  path: string
}

export interface SolvedTeam {
  dataDir: string
  id: string
  secret: string
  /** Documents with values of this compressed size. */
  values1Mb: SolvedDocument
  values100Mb: SolvedDocument
  /** Thousands of objects with a model file. */
  objects: SolvedDocument & { model: SolvedModel }
  /** A million values. */
  lists: DocumentId
}

export interface SolvedModel {
  path: string
  sha256: string
  length: number
  objectCount: number
}

const TERMS = { leaseMs: 3_600_000, maxTenths: 600 }
const MB = 2 ** 20

/** Creates a team in an empty folder, with documents solved by the server's solver, or with stored bodies of a size. */
export async function buildSolvedTeam(dataDir: string): Promise<SolvedTeam> {
  await using database = await openClosing(dataDir)
  const blobs = await openDiskBlobs(join(dataDir, 'blobs'))
  const catalogue = createCatalogue(database)
  const store = createSolveStore(database)
  const team = await catalogue.createTeam({ name: 'Solved', credits: 1_000_000 })
  const secret = createTokenSecret()
  const root = (await catalogue.findFolder(team.key, 'root'))!

  async function addDocument(name: string, graph: GraphContent) {
    const content = { kind: 'inline', bytes: Buffer.from(JSON.stringify(graph)) } as const
    return catalogue.changeTeam(team.key, (change) =>
      change.createDocument({ folder: root.key, name, createdAt: 0, updatedAt: 0, content }),
    )
  }

  async function addLarge(bytes: number): Promise<SolvedDocument> {
    const document = await addDocument(`Values ${bytes}`, longLists(1, 1))
    const { solution, digest } = await storeSolution({ store, blobs }, team.key, document.key, bytes)
    return { id: document.id, solution, path: blobPath(dataDir, digest) }
  }

  async function addObjects(): Promise<SolvedTeam['objects']> {
    const document = await addDocument('Objects', manyObjects())
    const lease = await leaseNext(store, team.key, document.key)
    const outcome = await solveNow(lease, createDocumentContents(database, blobs), blobs)
    await store.complete(lease, { ...outcome, chargedMs: outcome.durationMs })
    const { valuesGzip, model } = outcome.files
    const { digest, bytes: length, objects: objectCount } = model!
    return {
      id: document.id,
      solution: lease.id,
      path: blobPath(dataDir, valuesGzip),
      model: { path: blobPath(dataDir, digest), sha256: digest, length, objectCount },
    }
  }

  await catalogue.changeTeam(team.key, (change) =>
    change.createToken({ name: 'bench', secret, scopes: ALL_SCOPES }),
  )
  return {
    dataDir,
    id: team.id,
    secret,
    values1Mb: await addLarge(MB),
    values100Mb: await addLarge(100 * MB),
    objects: await addObjects(),
    lists: (await addDocument('Lists', longLists(1_000, 1_000))).id,
  }
}

export const blobPath = (dataDir: string, digest: string): string =>
  join(dataDir, 'blobs', digest.slice(0, 2), digest)

async function openClosing(dataDir: string) {
  const database = await openDatabase({ dataDir })
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() })
}

type Key<N extends 'team' | 'document'> = N extends 'team'
  ? Parameters<SolveStore['request']>[0]
  : Parameters<SolveStore['request']>[1][number]

async function leaseNext(store: SolveStore, team: Key<'team'>, document: Key<'document'>) {
  await store.request(team, [document])
  return (await store.lease(TERMS))!
}

/** Stores a solution without solving: values of about this compressed size. */
export async function storeSolution(
  { store, blobs }: { store: SolveStore; blobs: BlobStore },
  team: Key<'team'>,
  document: Key<'document'>,
  bytes: number,
): Promise<{ solution: SolutionId; digest: string }> {
  const lease = await leaseNext(store, team, document)
  const { gzip, zstd, bytes: valuesBytes } = await putCompressed(blobs, largeBody(lease.id, bytes))
  const files = { valuesGzip: gzip.digest, valuesZstd: zstd.digest, valuesBytes, model: undefined }
  await store.complete(lease, {
    state: 'solved',
    seq: 1,
    endedAt: Date.now(),
    durationMs: 1,
    chargedMs: 1,
    files,
  })
  return { solution: lease.id, digest: gzip.digest }
}

type Leased = Awaited<ReturnType<typeof leaseNext>>

async function solveNow(
  { id: solutionId, documentId, document }: Leased,
  contents: Pick<DocumentContents, 'find'>,
  blobs: BlobStore,
) {
  await using library = openModelLibrary()
  const content = (await contents.find(document))!
  const outcome = await solveDocument({ documentId, solutionId, content }, { blobs, library })
  if (outcome.state === 'failed') throw new Error(outcome.reason)
  return outcome
}

/** A body of random base64 texts with about this compressed size: base64 compresses by a quarter. */
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
