import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { BlobFault } from '../../platform/blobs/copy-blobs.ts'
import type { Dialect } from '../../platform/database/database.ts'
import { isWithin } from '../../platform/database/database-clock.ts'
import type { PortableTable } from '../../platform/database/transfer/read-table.ts'
import { DamagedBackupError, type LineChunk, readPart } from './line-chunks.ts'

/*
 * A backup is a blob store that holds the blobs of the service and, as further blobs, its rows. The metadata `moment-…` of
 * each saved moment names the manifest, which names everything else. docs/backup.md describes the format.
 */

/** The format that is written; a Meadow that knows only earlier ones refuses to read it. */
export const FORMAT = 1

/** A saved moment, as its metadata describes it. */
export interface Moment {
  /** The id, such as `20261122t101500z-3f9a1c`. */
  id: string
  format: number
  /** ISO 8601. */
  at: string
  /** The version of Meadow that saved it, and of the tables. */
  meadow: string
  schema: number
  database: Dialect
  teams: number
  documents: number
  blobs: number
  /** Blobs that were missing or damaged. */
  faults: number
  /** The digest of the manifest. */
  manifest: string
}

/** Everything that belongs to a moment. */
export interface Manifest {
  format: number
  tables: SavedTable[]
  /** The digests of the blobs that rows refer to, in order, one on each line. */
  blobs: LineChunk[]
  /** The blobs that could not be copied; the first ones, if there are very many. */
  faults: BlobFault[]
  sessionSecret: SavedSecret
}

/** What session cookies are signed with: a configured secret is not saved; without one there are no sessions yet. */
export type SavedSecret = { kind: 'generated'; secret: string } | { kind: 'configured' } | { kind: 'none' }

export interface SavedTable extends PortableTable {
  /** A JSON list of the row's values on each line, in the order of `columns`. */
  rows: LineChunk[]
}

const MOMENT = 'moment-'

export function createMomentId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .toLowerCase()
    .replace(/\.\d+|[-:]/g, '')
  return `${time}-${randomBytes(3).toString('hex')}`
}

/** Saves a moment. It exists from now on, so everything that it names has to be stored. */
export async function saveMoment(
  store: BlobStore,
  { id, ...moment }: Omit<Moment, 'format' | 'manifest'>,
  manifest: Manifest,
): Promise<Moment> {
  const { digest } = await store.put(Buffer.from(JSON.stringify(manifest)))
  const facts = { format: FORMAT, ...moment, manifest: digest }
  await store.writeMetadata(MOMENT + id, `${JSON.stringify(facts)}\n`)
  return { id, ...facts }
}

/** All moments, the oldest first. */
export async function listMoments(store: BlobStore): Promise<Moment[]> {
  const moments: Moment[] = []
  for (const name of await store.listMetadata(MOMENT)) {
    const text = await store.readMetadata(name)
    // The metadata is missing when the moment was removed just now.
    if (text !== undefined) moments.push({ ...parse<Moment>(text, name), id: name.slice(MOMENT.length) })
  }
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Removes a moment at once; what only it names is left to `removeUnnamed`. */
export const removeMoment = (store: BlobStore, { id }: Pick<Moment, 'id'>): Promise<void> =>
  store.removeMetadata(MOMENT + id)

/** Throws a {@link DamagedBackupError}, and an `Error` for a format of a later Meadow. */
export async function readManifest(store: Pick<BlobStore, 'read'>, moment: Moment): Promise<Manifest> {
  if (moment.format > FORMAT) {
    throw new Error(
      `Meadow ${moment.meadow} saved this moment in the format ${moment.format}, and this one knows ${FORMAT} at most: ` +
        'restore it with that version.',
    )
  }
  return parse<Manifest>((await readPart(store, moment.manifest)).toString(), 'its manifest')
}

function parse<T>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw new DamagedBackupError(`The backup is damaged: "${what}" is not JSON.`, { cause })
  }
}

const RUNNING = 'running-'
const RENEW_EVERY_MS = 20_000
/** Another machine's backup counts as ended after this long without a sign of life; clocks may differ by a minute. */
const DEAD_AFTER_MS = 180_000

interface RunningMetadata {
  host: string
  pid: number
  /** When it was last written, by the clock of its machine. */
  at: number
}

/**
 * The exclusive right to write to the store: one that removes what is not needed must not meet another one that counts on
 * it. Throws an `Error` with a sentence for the operator when another process has it.
 */
export async function lockBackup(store: BlobStore): Promise<AsyncDisposable> {
  const name = RUNNING + randomBytes(8).toString('hex')
  const say = () => {
    const metadata: RunningMetadata = { host: hostname(), pid: process.pid, at: Date.now() }
    return store.writeMetadata(name, JSON.stringify(metadata))
  }
  try {
    // First the own metadata, then the look at others: of two that begin at once, at least one sees the other.
    await say()
    await rejectOthers(store, name)
  } catch (error) {
    // The metadata may be there although writing it failed.
    await store.removeMetadata(name).catch(() => {})
    throw error
  }
  const timer = setInterval(() => void say().catch(() => {}), RENEW_EVERY_MS)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await store.removeMetadata(name).catch(() => {})
    },
  }
}

async function rejectOthers(store: BlobStore, own: string): Promise<void> {
  for (const name of await store.listMetadata(RUNNING)) {
    const text = name === own ? undefined : await store.readMetadata(name)
    if (text === undefined) continue
    const metadata = parse<RunningMetadata>(text, name)
    if (isLiving(metadata)) throw new Error(describeOther(metadata))
    await store.removeMetadata(name)
  }
}

const describeOther = ({ host, pid, at }: RunningMetadata): string =>
  `Another backup to this target is running: process ${pid} on "${host}", last seen ` +
  `${Math.max(0, Math.round((Date.now() - at) / 1000))} s ago. Wait for its end; one that was killed on another machine ` +
  `counts as running for ${DEAD_AFTER_MS / 1000} s.`

function isLiving({ host, pid, at }: RunningMetadata): boolean {
  const isAlive = isWithin(at, DEAD_AFTER_MS, Date.now())
  if (host !== hostname()) return isAlive
  try {
    process.kill(pid, 0)
    // Another process may have its number by now.
    return isAlive
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && isAlive
  }
}
