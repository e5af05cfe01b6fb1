import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BlobStore } from './blobs.ts'
import { openDiskBlobs, unfinishedIn } from './disk.ts'
import { createMovingBlobs } from './moving-blobs.ts'
import { createKeySource, type GetKeys } from './s3/keys.ts'
import { readS3Place, type S3Access, type S3Keys, type S3Place, writeS3Place } from './s3/place.ts'

/** Where the blobs are: what another process needs to open the same store. Plain JSON; it may hold keys. */
export type BlobsLocation = StoreLocation | MovingLocation

/** One store, in a folder or in a bucket. */
export type StoreLocation = DiskLocation | S3Location

export interface DiskLocation {
  kind: 'disk'
  /** Absolute. */
  folder: string
}

type S3Location = S3Place & S3Access

/** Two stores while blobs are moved from one to the other. */
export interface MovingLocation {
  kind: 'moving'
  next: StoreLocation
  former: StoreLocation
}

export const BLOBS_ACCEPTS =
  'a folder such as file:///srv/meadow/blobs, or a bucket such as ' +
  's3://bucket/prefix?endpoint=https://store.example.org&region=eu-1, without keys'

/** The location that the text of `MEADOW_BLOBS` names; undefined when it names none. `access` is for buckets. */
export function readBlobsLocation(text: string, access: S3Access): StoreLocation | undefined {
  const url = URL.parse(text)
  if (url?.protocol === 's3:') {
    const place = readS3Place(url)
    return place && { ...place, ...access }
  }
  if (url?.protocol !== 'file:' || url.host || url.search || url.hash || /%(00|2f|5c)/i.test(url.pathname))
    return undefined
  const folder = fileURLToPath(url)
  return { kind: 'disk', folder: folder.endsWith(sep) ? folder.slice(0, -1) : folder }
}

/** Where the blobs are when nothing else is said. */
export const blobsIn = (dataDir: string): DiskLocation => ({ kind: 'disk', folder: join(dataDir, 'blobs') })

/** How this process uses buckets: with these keys, or with those that its machine is given. */
export const s3AccessIn = (dataDir: string, keys?: S3Keys, authorities?: string): S3Access => ({
  keys: keys ?? 'instance',
  spoolFolder: join(dataDir, 'spool'),
  ...(authorities !== undefined && { authorities }),
})

/** The variables that a process which opens the store has to have. */
export function variablesFor(location: BlobsLocation): Record<string, string> {
  const [file] = storesOf(location).flatMap((store) => (store.kind === 's3' ? (store.authorities ?? []) : []))
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file }
}

/** The location as text, without keys: equal for equal places, and what {@link readBlobsLocation} reads. */
export const writeBlobsLocation = (location: StoreLocation): string =>
  location.kind === 'disk' ? pathToFileURL(location.folder).href : writeS3Place(location)

const storesOf = (location: BlobsLocation): StoreLocation[] =>
  location.kind === 'moving' ? [location.next, location.former] : [location]

/** The folders that a process which opens the store has to be able to write to. */
export const foldersOf = (location: BlobsLocation): string[] =>
  storesOf(location).map((store) => (store.kind === 'disk' ? store.folder : store.spoolFolder))

/** A folder for the temporary files of a process that writes to the store. */
export const spoolFolderOf = (location: BlobsLocation): string => {
  const store = storesOf(location)[0]!
  return store.kind === 'disk' ? unfinishedIn(store.folder) : store.spoolFolder
}

/** Opens a store to be read only, which is not changed by that. Rejects when its folder does not exist. */
export const openBlobsAsReader = (location: StoreLocation): Promise<BlobStore> =>
  location.kind === 'disk' ? openDiskBlobs(location.folder, { isReader: true }) : openBlobs(location)

/** Opens the store; makes its folder when it does not exist. Rejects with a sentence when a bucket cannot be used. */
export async function openBlobs(location: BlobsLocation): Promise<BlobStore> {
  if (location.kind === 'moving')
    return createMovingBlobs(await openBlobs(location.next), await openBlobs(location.former))
  if (location.kind === 'disk') return openDiskBlobs(location.folder)
  // Not a static import: without a bucket nothing needs it.
  const { openS3Blobs } = await import('./s3/s3-blobs.ts')
  return openS3Blobs(location, { getKeys: keySourceOf(location) })
}

const sources = new WeakMap<S3Location, GetKeys>()

/** The pools of a process, and its store, share what they were given. */
function keySourceOf(location: S3Location): GetKeys {
  const source = sources.get(location) ?? createKeySource(location)
  sources.set(location, source)
  return source
}

/** The keys that a child process needs for its next job, one for each store, in order; null for a folder. */
export type JobKeys = (S3Keys | null)[]

export const getJobKeys = (location: BlobsLocation): Promise<JobKeys> =>
  Promise.all(storesOf(location).map((store) => (store.kind === 's3' ? keySourceOf(store)() : null)))

/** The same location without keys, for the arguments of a child process, which others can see. */
export const withoutKeys = (location: BlobsLocation): BlobsLocation => {
  if (location.kind === 'moving')
    return { ...location, next: withoutStoreKeys(location.next), former: withoutStoreKeys(location.former) }
  return withoutStoreKeys(location)
}

const withoutStoreKeys = (store: StoreLocation): StoreLocation =>
  store.kind === 's3' ? { ...store, keys: 'instance' } : store

/** Opens the store in a child process: `keys` are those of the job that it does. */
export async function openBlobsAsChild(location: BlobsLocation, keys: () => JobKeys): Promise<BlobStore> {
  const open = async (store: StoreLocation, i: number) => {
    if (store.kind === 'disk') return openDiskBlobs(store.folder)
    const { openS3Blobs } = await import('./s3/s3-blobs.ts')
    return openS3Blobs(store, { getKeys: async () => keys()[i]!, isChild: true })
  }
  const [first, second] = await Promise.all(storesOf(location).map(open))
  return second ? createMovingBlobs(first!, second) : first!
}
