import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { BlobStore } from '../blobs/blobs.ts'
import { MOVING_MARK } from '../blobs/moving-blobs.ts'
import { type BlobsLocation, openBlobs, type StoreLocation, writeBlobsLocation } from '../blobs/open-blobs.ts'
import type { Database, Dialect, Select, Write } from '../database/database.ts'
import type { BlobStoreState } from '../database/tables/blob-store-table.ts'
import { listLiving, lockRegistration, type ProcessRecord } from './processes.ts'

/** The mark of a store whose text is its id. */
export const STORE_MARK = 'store'

/** A store that has or had the blobs of the service. */
export interface BlobStoreRecord {
  id: string
  state: BlobStoreState
  /** Without keys. */
  location: string
  /** The machine that registered it. */
  host: string
}

/** The blobs of the service, as this process reaches them. */
export interface ServiceBlobs {
  /** The id of the store. */
  readonly id: string
  /** For child processes. While blobs are moved to the store, it has both stores. */
  readonly location: BlobsLocation
  readonly blobs: BlobStore
}

/** Finds the place that the text of a location names, with the keys of this process. */
export type ReadLocation = (text: string) => StoreLocation | undefined

/**
 * Opens the store at `location` after checking that it is the one that this service uses. The first process of a service
 * makes it that. Throws an `Error` with a sentence for the operator when it is another one: answers would be wrong.
 */
export async function openServiceBlobs(
  database: Database,
  location: StoreLocation,
  readLocation: ReadLocation,
): Promise<ServiceBlobs> {
  const blobs = await openBlobs(location)
  const { own, from } = await identify(database, blobs, location)
  if (!from) return { id: own.id, location, blobs }
  const both: BlobsLocation = { kind: 'moving', next: location, former: await findFormer(from, readLocation) }
  return { id: own.id, location: both, blobs: await openBlobs(both) }
}

/** The stores of the service: the current one, former ones, the next one. */
export const listBlobStores = (select: Select): Promise<BlobStoreRecord[]> =>
  select
    .selectFrom('blob_store')
    .select(['id', 'state', 'location', 'host'])
    .orderBy('state')
    .orderBy('created_at', 'desc')
    .execute()

/** Why the store must not be used, or no more; undefined when it is still the one with this id. */
export async function findWrongStore(
  { read }: Pick<Database, 'read'>,
  { id, blobs }: Pick<ServiceBlobs, 'id' | 'blobs'>,
): Promise<string | undefined> {
  const [mark, row] = await Promise.all([
    blobs.readMark(STORE_MARK),
    read.selectFrom('blob_store').where('id', '=', id).select('state').executeTakeFirst(),
  ])
  if (mark !== id)
    return 'The file store is not the one that this service uses: its mark is missing or another one.'
  if (row?.state === 'current' || row?.state === 'next') return undefined
  return 'The files of this service were moved to another store: restart this process with the new MEADOW_BLOBS.'
}

/** The row of the store that `blobs` is, and of the one that blobs are being moved from to it. */
async function identify(
  database: Database,
  blobs: BlobStore,
  location: StoreLocation,
): Promise<{ own: BlobStoreRecord; from?: BlobStoreRecord | undefined }> {
  const stores = await listBlobStores(database.read)
  // After the rows: a process that starts at the same moment writes the mark before its row.
  const mark = await blobs.readMark(STORE_MARK)
  const current = stores.find(({ state }) => state === 'current')
  if (!current) return { own: await registerFirst(database, blobs, location) }
  const own = stores.find(({ id }) => id === mark)
  const here = writeBlobsLocation(location)
  if (!own)
    throw new Error(mark === undefined ? describeUnmarked(here, current) : describeForeign(here, current))
  if (own.state === 'former') throw new Error(describeFormer(here, current))
  // The mark outlasts the state `next`, until the last blobs are copied.
  const movingFrom = await blobs.readMark(MOVING_MARK)
  return { own, from: stores.find(({ id }) => id === movingFrom && id !== own.id) }
}

/**
 * Makes the store the current one of a service that has none: a new one, or one of an earlier version. Of processes that
 * start at once, the second one finds the row of the first.
 */
async function registerFirst(
  database: Database,
  blobs: BlobStore,
  location: StoreLocation,
): Promise<BlobStoreRecord> {
  const here = writeBlobsLocation(location)
  return changeBlobStores(database, async (write) => {
    const known = await listBlobStores(write)
    const mark = await blobs.readMark(STORE_MARK)
    const current = known.find(({ state }) => state === 'current')
    if (current) {
      if (current.id !== mark) throw new Error(describeUnmarked(here, current))
      return current
    }
    if (mark !== undefined && (await isForeign(write, blobs))) throw new Error(describeTaken(here))
    const id = mark ?? randomUUID()
    // Before the row: a mark without a row is used at the next start.
    if (mark === undefined) await blobs.writeMark(STORE_MARK, id)
    return insertStore(write, { id, state: 'current', location: here })
  })
}

/** Whether a store with a mark belongs to another service: it has blobs, and this one has nothing that refers to any. */
async function isForeign(write: Write, blobs: BlobStore): Promise<boolean> {
  const [document, file] = [
    await write.selectFrom('document').select('id').limit(1).executeTakeFirst(),
    await write.selectFrom('team_file').select('id').limit(1).executeTakeFirst(),
  ]
  if (document || file) return false
  for await (const _blob of blobs.list()) return true
  return false
}

/** Registers the store at `location` as the next one, or finds it when it already is that. */
export async function registerNext(
  database: Database,
  blobs: BlobStore,
  location: StoreLocation,
): Promise<{ current: BlobStoreRecord; next: BlobStoreRecord }> {
  const here = writeBlobsLocation(location)
  return changeBlobStores(database, async (write) => {
    const stores = await listBlobStores(write)
    const current = stores.find(({ state }) => state === 'current')
    if (!current) throw new Error('This service has no files yet: start it with the new MEADOW_BLOBS.')
    const mark = await blobs.readMark(STORE_MARK)
    const known = stores.find(({ id }) => id === mark)
    const next = stores.find(({ state }) => state === 'next')
    if (known?.state === 'current') throw new Error(`The files of this service are in ${here} already.`)
    if (next && next.id !== mark) throw new Error(describeOtherMove(next))
    if (next) return { current, next }
    if (mark !== undefined && !known) throw new Error(describeTaken(here))
    const id = mark ?? randomUUID()
    // Before the row: a process that finds the row, but no mark, takes the move for ended.
    if (mark === undefined) await blobs.writeMark(STORE_MARK, id)
    await blobs.writeMark(MOVING_MARK, current.id)
    // A store that was left is moved to again: its row begins anew.
    await write.deleteFrom('blob_store').where('id', '=', id).execute()
    return { current, next: await insertStore(write, { id, state: 'next', location: here }) }
  })
}

/** Cancels a move: the current store has everything, since processes put into both. Throws when one uses the next store. */
export function cancelMove(database: Database): Promise<BlobStoreRecord | undefined> {
  return changeBlobStores(database, async (write) => {
    const next = (await listBlobStores(write)).find(({ state }) => state === 'next')
    if (!next) return undefined
    const users = await listUsers(write, database.dialect, (store) => store === next.id)
    if (users.length > 0) throw new StoreInUseError(next, users)
    await write.deleteFrom('blob_store').where('id', '=', next.id).execute()
    return next
  })
}

/**
 * Makes the next store the current one, if there is one. Throws while a process uses the former one, or may. From then on
 * none starts on it. Afterwards the last blobs have to be copied, and then {@link endMove} called.
 */
export function finishMove(database: Database): Promise<void> {
  return changeBlobStores(database, async (write) => {
    const stores = await listBlobStores(write)
    const current = stores.find(({ state }) => state === 'current')
    const next = stores.find(({ state }) => state === 'next')
    if (!current || !next) return
    const users = await listUsers(write, database.dialect, (store) => store !== next.id)
    if (users.length > 0) throw new StoreInUseError(current, users)
    await setState(write, current.id, 'former')
    await setState(write, next.id, 'current')
  })
}

/** All blobs are in the next store: a second later, no process uses the former one. */
export const endMove = (next: BlobStore): Promise<void> => next.removeMark(MOVING_MARK)

/** Removes what a move that was cancelled has left in the store, except blobs. */
export async function removeMarks(blobs: BlobStore): Promise<void> {
  await blobs.removeMark(MOVING_MARK)
  await blobs.removeMark(STORE_MARK)
}

/**
 * Makes the store at `location` the current one, whatever it was before: it was copied by hand, or belonged to a service
 * that is gone. Throws while a process uses another store.
 */
export async function adoptStore(
  database: Database,
  blobs: BlobStore,
  location: StoreLocation,
): Promise<BlobStoreRecord> {
  return changeBlobStores(database, async (write) => {
    const stores = await listBlobStores(write)
    const mark = await blobs.readMark(STORE_MARK)
    const current = stores.find(({ state }) => state === 'current')
    if (current && current.id === mark) return current
    const users = await listUsers(write, database.dialect, () => true)
    if (users.length > 0) throw new StoreInUseError(current, users)
    const id = randomUUID()
    await blobs.writeMark(STORE_MARK, id)
    await blobs.removeMark(MOVING_MARK)
    await write.deleteFrom('blob_store').where('state', '=', 'next').execute()
    if (current) await setState(write, current.id, 'former')
    return insertStore(write, { id, state: 'current', location: writeBlobsLocation(location) })
  })
}

/** Processes use a store that has to be unused. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError'
  readonly processes: readonly ProcessRecord[]

  constructor(store: BlobStoreRecord | undefined, processes: readonly ProcessRecord[]) {
    const where = store === undefined ? '' : ` in ${store.location}`
    super(`Processes use the files${where}: ${processes.map(nameProcess).join(', ')}. Stop them first.`)
    this.processes = processes
  }
}

/** `serve 4711 on "host-1"` */
export const nameProcess = ({ kind, pid, host }: Pick<ProcessRecord, 'kind' | 'pid' | 'host'>): string =>
  `${kind} ${pid} on "${host}"`

/** The living processes whose store, or null when it is not known, this applies to. */
async function listUsers(
  write: Write,
  dialect: Dialect,
  applies: (store: string | null) => boolean,
): Promise<ProcessRecord[]> {
  const living = await listLiving(write, dialect)
  return living.filter(({ blobStore }) => applies(blobStore))
}

/** The store that blobs are moved from, after a check that this process reaches it. */
async function findFormer(current: BlobStoreRecord, readLocation: ReadLocation): Promise<StoreLocation> {
  const location = readLocation(current.location)
  // Opening a folder would create it.
  const exists = location && (location.kind !== 'disk' || existsSync(location.folder))
  const mark = exists ? await (await openBlobs(location)).readMark(STORE_MARK) : undefined
  if (!location || mark !== current.id) throw new Error(describeUnreachable(current))
  return location
}

/** Runs `work` in a transaction while no process registers and no store changes its state. */
const changeBlobStores = <T>(database: Database, work: (write: Write) => Promise<T>): Promise<T> =>
  database.transaction(async (write) => {
    await lockRegistration(write, database.dialect)
    return work(write)
  })

async function insertStore(
  write: Write,
  store: Pick<BlobStoreRecord, 'id' | 'state' | 'location'>,
): Promise<BlobStoreRecord> {
  const row = { ...store, host: hostname() }
  await write
    .insertInto('blob_store')
    .values({ ...row, created_at: Date.now() })
    .execute()
  return row
}

const setState = (write: Write, id: string, state: BlobStoreState) =>
  write.updateTable('blob_store').set({ state }).where('id', '=', id).execute()

const onHost = ({ location, host }: BlobStoreRecord): string =>
  location.startsWith('file:') ? `${location} on "${host}"` : location

const describeUnmarked = (here: string, current: BlobStoreRecord): string =>
  `The files of this service are in ${onHost(current)}, and ${here} on "${hostname()}" is another place, or is not there: ` +
  'documents would be missing. ' +
  (here === current.location
    ? 'Is the disk mounted? Processes on several machines need one disk that all of them reach, or an object store: set ' +
      'MEADOW_BLOBS. '
    : 'Set MEADOW_BLOBS to the same place for every process. "meadow-server blobs move" moves the files. ') +
  'If a complete copy of the files is here, run "meadow-server blobs adopt".'

const describeForeign = (here: string, current: BlobStoreRecord): string =>
  `${here} has the files of another service; those of this one are in ${onHost(current)}. Set MEADOW_BLOBS to that place, ` +
  'or DATABASE_URL to the database of the other service.'

const describeFormer = (here: string, current: BlobStoreRecord): string =>
  `The files of this service were moved from ${here} to ${onHost(current)}. Set MEADOW_BLOBS to that place.`

const describeTaken = (here: string): string =>
  `${here} has the files of another service, and each would remove files of the other. Set MEADOW_BLOBS to an empty ` +
  'place. If the other service is gone for good, run "meadow-server blobs adopt".'

const describeOtherMove = (next: BlobStoreRecord): string =>
  `The files are being moved to ${onHost(next)} already. Finish that with "meadow-server blobs move --to ${next.location}", ` +
  'or end it with "meadow-server blobs move --cancel".'

const describeUnreachable = (current: BlobStoreRecord): string =>
  `The files of this service are being moved here, and some are still in ${onHost(current)}, which this process does not ` +
  'reach. Run "meadow-server blobs move" with this MEADOW_BLOBS where both places can be reached, and start this process ' +
  'afterwards.'
