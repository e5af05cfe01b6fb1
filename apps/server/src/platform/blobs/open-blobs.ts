import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BlobStore } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import { createMovingBlobs } from './moving-blobs.ts'

/** Where the blobs are: what another process needs to open the same store. Plain JSON. */
export type BlobsLocation = StoreLocation | MovingLocation

/** One store, in a folder. */
export interface StoreLocation {
  kind: 'disk'
  /** Absolute. */
  folder: string
}

/** Two stores while blobs are moved from one to the other. */
export interface MovingLocation {
  kind: 'moving'
  next: StoreLocation
  former: StoreLocation
}

export const BLOBS_ACCEPTS = 'a folder such as file:///srv/meadow/blobs'

/** The location that the text of `MEADOW_BLOBS` names; undefined when it names none. */
export function readBlobsLocation(text: string): StoreLocation | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'file:' || url.host || url.search || url.hash || /%(00|2f|5c)/i.test(url.pathname))
    return undefined
  const folder = fileURLToPath(url)
  return { kind: 'disk', folder: folder.endsWith(sep) ? folder.slice(0, -1) : folder }
}

/** Where the blobs are when nothing else is said. */
export const blobsIn = (dataDir: string): StoreLocation => ({ kind: 'disk', folder: join(dataDir, 'blobs') })

/** The location as text, without keys: equal for equal places, and what {@link readBlobsLocation} reads. */
export const writeBlobsLocation = ({ folder }: StoreLocation): string => pathToFileURL(folder).href

/** The folders that a process which opens the store has to be able to write to. */
export const foldersOf = (location: BlobsLocation): string[] =>
  location.kind === 'moving'
    ? [...foldersOf(location.next), ...foldersOf(location.former)]
    : [location.folder]

/** Opens the store; makes its folder when it does not exist. */
export async function openBlobs(location: BlobsLocation): Promise<BlobStore> {
  if (location.kind === 'moving')
    return createMovingBlobs(await openBlobs(location.next), await openBlobs(location.former))
  return openDiskBlobs(location.folder)
}
