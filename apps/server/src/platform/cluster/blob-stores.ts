import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { BlobStore } from '../blobs/blobs.ts'
import { type BlobsLocation, openBlobs, writeBlobsLocation } from '../blobs/open-blobs.ts'
import type { Database, Dialect, Select, Write } from '../database/database.ts'
import type { BlobStoreState } from '../database/tables.ts'
import { deadAfterMs, listLiving, lockRegistration, type ProcessRecord } from './processes.ts'

/** The name of the metadata of a store whose text is its id. */
export const STORE_METADATA = 'store'

/** A store that has or had the blobs of the service. */
export interface BlobStoreRecord {
  id: string
  state: BlobStoreState
  /** The address of the store, without keys. */
  location: string
  /** The machine that registered the store. */
  host: string
}

/** The blobs of the service, as this process reaches them. */
export interface ServiceBlobs {
  /** The id of the store. */
  readonly id: string
  /** The location of the store, for child processes. */
  readonly location: BlobsLocation
  readonly blobs: BlobStore
}

/**
 * Opens the store at `location` after checking that it is the one that this service uses. The first process of a
 * service registers the store. Throws an `Error` with a sentence for the operator when the service uses another store,
 * since answers would be wrong, and while blobs are moved.
 */
export async function openServiceBlobs(database: Database, location: BlobsLocation): Promise<ServiceBlobs> {
  const blobs = await openBlobs(location)
  const stores = await listBlobStores(database.read)
  const next = findNext(stores)
  if (next) throw new Error(describeMove(next))
  const current = findCurrent(stores)
  const { id } = current
    ? await identify(stores, current, blobs, location)
    : await registerFirst(database, blobs, location)
  return { id, location, blobs }
}

/** Lists the stores of the service: the current one, former ones, the next one. */
export const listBlobStores = (select: Select): Promise<BlobStoreRecord[]> =>
  select
    .selectFrom('blob_store')
    .select(['id', 'state', 'location', 'host'])
    .orderBy('state')
    .orderBy('created_at', 'desc')
    .execute()

/** Resolves with the reason why the store must not be used any more; undefined when it is still the current one. */
export async function findWrongStore(
  { read }: Pick<Database, 'read'>,
  { id, blobs }: Pick<ServiceBlobs, 'id' | 'blobs'>,
): Promise<string | undefined> {
  const [ownId, stores] = await Promise.all([blobs.readMetadata(STORE_METADATA), listBlobStores(read)])
  if (ownId !== id)
    return 'The file store is not the one that this service uses: its mark is missing or another one.'
  const next = findNext(stores)
  if (next) return describeMove(next)
  if (stores.some((store) => store.id === id && store.state === 'current')) return undefined
  return 'The files of this service were moved to another store: restart this process with the new MEADOW_BLOBS.'
}

/** Returns the row of the store that `blobs` is. Throws when the store is unknown or a former one. */
async function identify(
  stores: readonly BlobStoreRecord[],
  current: BlobStoreRecord,
  blobs: BlobStore,
  location: BlobsLocation,
): Promise<BlobStoreRecord> {
  // The metadata is read after the rows, since a process that starts at the same moment writes the metadata before its row.
  const storeId = await blobs.readMetadata(STORE_METADATA)
  const own = stores.find(({ id }) => id === storeId)
  const here = writeBlobsLocation(location)
  if (!own)
    throw new Error(storeId === undefined ? describeWithoutId(here, current) : describeForeign(here, current))
  if (own.state === 'former') throw new Error(describeFormer(here, current))
  return own
}

const findCurrent = (stores: readonly BlobStoreRecord[]) => stores.find(({ state }) => state === 'current')

const findNext = (stores: readonly BlobStoreRecord[]) => stores.find(({ state }) => state === 'next')

/**
 * Makes the store the current one of a service that has none, since it is new or was of an earlier version. Of two
 * processes that start at once, the second one finds the row of the first.
 */
async function registerFirst(
  database: Database,
  blobs: BlobStore,
  location: BlobsLocation,
): Promise<BlobStoreRecord> {
  const here = writeBlobsLocation(location)
  return changeBlobStores(database, async (write) => {
    const known = await listBlobStores(write)
    const storeId = await blobs.readMetadata(STORE_METADATA)
    const current = findCurrent(known)
    if (current) {
      if (current.id !== storeId) throw new Error(describeWithoutId(here, current))
      return current
    }
    if (storeId !== undefined && (await isForeign(write, blobs))) throw new Error(describeTaken(here))
    const id = storeId ?? randomUUID()
    // The metadata is written before the row, since metadata without a row is used at the next start.
    if (storeId === undefined) await blobs.writeMetadata(STORE_METADATA, id)
    return insertStore(write, { id, state: 'current', location: here })
  })
}

/**
 * Whether a store with an id belongs to another service: it has blobs, and this one has nothing that refers to any.
 */
async function isForeign(write: Write, blobs: BlobStore): Promise<boolean> {
  const [document, file] = [
    await write.selectFrom('document').select('id').limit(1).executeTakeFirst(),
    await write.selectFrom('team_file').select('id').limit(1).executeTakeFirst(),
  ]
  if (document || file) return false
  for await (const _blob of blobs.list()) return true
  return false
}

/**
 * Begins to move the blobs of a stopped service from one store to another, or goes on with that: from then on no
 * process starts. Throws an `Error` with a sentence when `from` is not the current store, when `to` is the current
 * store or belongs to another service, or while processes run.
 */
export async function beginMove(
  database: Database,
  from: { blobs: BlobStore; location: BlobsLocation },
  to: { blobs: BlobStore; location: BlobsLocation },
): Promise<BlobStoreRecord> {
  const there = writeBlobsLocation(to.location)
  return changeBlobStores(database, async (write) => {
    const stores = await listBlobStores(write)
    const current = findCurrent(stores)
    if (!current) throw new Error('This service has no files yet: start it with the new MEADOW_BLOBS.')
    await identify(stores, current, from.blobs, from.location)
    const storeId = await to.blobs.readMetadata(STORE_METADATA)
    const known = stores.find(({ id }) => id === storeId)
    const next = findNext(stores)
    if (known?.state === 'current') throw new Error(`The files of this service are in ${there} already.`)
    if (next && next.id !== storeId) throw new Error(describeMove(next))
    await checkUnused(write, database.dialect, current)
    if (next) return next
    if (storeId !== undefined && !known) throw new Error(describeTaken(there))
    const id = storeId ?? randomUUID()
    // The metadata is written before the row, since metadata without a row is used by the next attempt.
    if (storeId === undefined) await to.blobs.writeMetadata(STORE_METADATA, id)
    // A former store may become the next one again, with a new row.
    await write.deleteFrom('blob_store').where('id', '=', id).execute()
    return insertStore(write, { id, state: 'next', location: there })
  })
}

/** Cancels a move: the current store is used again. Resolves to the store that was the next one, if there was one. */
export function cancelMove(database: Database): Promise<BlobStoreRecord | undefined> {
  return changeBlobStores(database, async (write) => {
    const next = findNext(await listBlobStores(write))
    if (next) await write.deleteFrom('blob_store').where('id', '=', next.id).execute()
    return next
  })
}

/** Makes the `next` store, which has all blobs, the current one. Throws when its move was cancelled meanwhile. */
export function finishMove(database: Database, { id }: Pick<BlobStoreRecord, 'id'>): Promise<void> {
  return changeBlobStores(database, async (write) => {
    const stores = await listBlobStores(write)
    const [current, next] = [findCurrent(stores), findNext(stores)]
    if (!current || next?.id !== id) throw new Error('The move was cancelled or ended by another process.')
    await setState(write, current.id, 'former')
    await setState(write, id, 'current')
  })
}

/**
 * Makes the store at `location` the current one, whatever it was before: it was copied by hand, or belonged to a
 * service that is gone. Throws while a process runs.
 */
export async function adoptStore(
  database: Database,
  blobs: BlobStore,
  location: BlobsLocation,
): Promise<BlobStoreRecord> {
  return changeBlobStores(database, async (write) => {
    const stores = await listBlobStores(write)
    const storeId = await blobs.readMetadata(STORE_METADATA)
    const current = findCurrent(stores)
    if (current && current.id === storeId && !findNext(stores)) return current
    await checkUnused(write, database.dialect, current)
    const id = randomUUID()
    await blobs.writeMetadata(STORE_METADATA, id)
    await write.deleteFrom('blob_store').where('state', '=', 'next').execute()
    if (current) await setState(write, current.id, 'former')
    return insertStore(write, { id, state: 'current', location: writeBlobsLocation(location) })
  })
}

/** Names a process for the operator, such as `serve 4711 on "host-1"`. */
export const nameProcess = ({ kind, pid, host }: Pick<ProcessRecord, 'kind' | 'pid' | 'host'>): string =>
  `${kind} ${pid} on "${host}"`

/** Throws while a process of the service runs. */
async function checkUnused(
  write: Write,
  dialect: Dialect,
  store: BlobStoreRecord | undefined,
): Promise<void> {
  const living = await listLiving(write, dialect)
  if (living.length === 0) return
  const where = store === undefined ? '' : ` in ${store.location}`
  throw new Error(
    `Processes use the files${where}: ${living.map(nameProcess).join(', ')}. Stop them first; one that was killed ` +
      `counts as running for ${deadAfterMs(dialect) / 1000} s.`,
  )
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

const describeWithoutId = (here: string, current: BlobStoreRecord): string =>
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

const describeMove = (next: BlobStoreRecord): string =>
  `The files of this service are being moved to ${onHost(next)}. Finish that with "meadow-server blobs move --to ` +
  `${next.location}", or end it with "meadow-server blobs move --cancel".`
