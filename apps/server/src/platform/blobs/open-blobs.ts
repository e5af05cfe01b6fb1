import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BlobStore } from './blobs.ts'
import { openDiskBlobs, unfinishedIn } from './disk.ts'
import { createKeySource, type GetKeys } from './s3/keys.ts'
import {
  readS3Location,
  type S3Access,
  type S3Keys,
  type S3Location,
  writeS3Location,
} from './s3/location.ts'

/**
 * Where the blobs are, in a folder or in a bucket: what another process needs to open the same store. It is plain JSON
 * and may hold keys.
 */
export type BlobsLocation = DiskLocation | BucketLocation

export interface DiskLocation {
  kind: 'disk'
  /** The absolute path of the folder. */
  folder: string
}

type BucketLocation = S3Location & S3Access

export const BLOBS_ACCEPTS =
  'a folder such as file:///srv/meadow/blobs, or a bucket such as ' +
  's3://bucket/prefix?endpoint=https://store.example.org&region=eu-1, without keys'

/** Reads the location that the text of `MEADOW_BLOBS` names; undefined when it names none. `access` is for buckets. */
export function readBlobsLocation(text: string, access: S3Access): BlobsLocation | undefined {
  const url = URL.parse(text)
  if (url?.protocol === 's3:') {
    const location = readS3Location(url)
    return location && { ...location, ...access }
  }
  if (url?.protocol !== 'file:' || url.host || url.search || url.hash || /%(00|2f|5c)/i.test(url.pathname))
    return undefined
  const folder = fileURLToPath(url)
  return { kind: 'disk', folder: folder.endsWith(sep) ? folder.slice(0, -1) : folder }
}

/** Returns where the blobs are when nothing else is configured. */
export const blobsIn = (dataDir: string): DiskLocation => ({ kind: 'disk', folder: join(dataDir, 'blobs') })

/** Returns how this process uses buckets: with these keys, or with those that its machine is given. */
export const s3AccessIn = (dataDir: string, keys?: S3Keys, authorities?: string): S3Access => ({
  keys: keys ?? 'instance',
  spoolFolder: join(dataDir, 'spool'),
  ...(authorities !== undefined && { authorities }),
})

/** Returns the environment variables that a process which opens the store has to have. */
export const variablesFor = (location: BlobsLocation): Record<string, string> =>
  location.kind === 's3' && location.authorities !== undefined
    ? { NODE_EXTRA_CA_CERTS: location.authorities }
    : {}

/** Writes the location as the text that {@link readBlobsLocation} reads, without keys and equal for equal locations. */
export const writeBlobsLocation = (location: BlobsLocation): string =>
  location.kind === 'disk' ? pathToFileURL(location.folder).href : writeS3Location(location)

/** Returns the folder that a process which opens the store has to be able to write to. */
export const folderOf = (location: BlobsLocation): string =>
  location.kind === 'disk' ? location.folder : location.spoolFolder

/** Returns a folder for the temporary files of a process that writes to the store. */
export const spoolFolderOf = (location: BlobsLocation): string =>
  location.kind === 'disk' ? unfinishedIn(location.folder) : location.spoolFolder

/** Opens a store only to read it, which does not change it. Rejects when its folder does not exist. */
export const openBlobsAsReader = (location: BlobsLocation): Promise<BlobStore> =>
  location.kind === 'disk' ? openDiskBlobs(location.folder, { isReader: true }) : openBlobs(location)

/** Opens the store; makes its folder when it does not exist. Rejects with a sentence when a bucket cannot be used. */
export async function openBlobs(location: BlobsLocation): Promise<BlobStore> {
  if (location.kind === 'disk') return openDiskBlobs(location.folder)
  // This is not a static import, since only a bucket needs it.
  const { openS3Blobs } = await import('./s3/s3-blobs.ts')
  return openS3Blobs(location, { getKeys: keySourceOf(location) })
}

const sources = new WeakMap<BucketLocation, GetKeys>()

/** Returns the source of keys for a location, which the store and the pools of a process share. */
function keySourceOf(location: BucketLocation): GetKeys {
  const source = sources.get(location) ?? createKeySource(location)
  sources.set(location, source)
  return source
}

/** The keys that a child process needs for its next job; null for a folder. */
export type JobKeys = S3Keys | null

export const getJobKeys = async (location: BlobsLocation): Promise<JobKeys> =>
  location.kind === 's3' ? keySourceOf(location)() : null

/** Returns the location without keys, for the arguments of a child process, which others can see. */
export const withoutKeys = (location: BlobsLocation): BlobsLocation =>
  location.kind === 's3' ? { ...location, keys: 'instance' } : location

/** Opens the store in a child process; `keys` returns the keys of the job that it does. */
export async function openBlobsAsChild(location: BlobsLocation, keys: () => JobKeys): Promise<BlobStore> {
  if (location.kind === 'disk') return openDiskBlobs(location.folder)
  const { openS3Blobs } = await import('./s3/s3-blobs.ts')
  return openS3Blobs(location, { getKeys: async () => keys()!, isChild: true })
}
