import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BlobStore } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'

/** Where the blobs are: what another process needs to open the same store. Plain JSON. */
export interface BlobsLocation {
  kind: 'disk'
  /** Absolute. */
  folder: string
}

export const BLOBS_ACCEPTS = 'a folder such as file:///srv/meadow/blobs'

/** The location that the text of `MEADOW_BLOBS` names; undefined when it names none. */
export function readBlobsLocation(text: string): BlobsLocation | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'file:' || url.host || url.search || url.hash || /%(00|2f|5c)/i.test(url.pathname))
    return undefined
  const folder = fileURLToPath(url)
  return { kind: 'disk', folder: folder.endsWith(sep) ? folder.slice(0, -1) : folder }
}

/** Where the blobs are when nothing else is said. */
export const blobsIn = (dataDir: string): BlobsLocation => ({ kind: 'disk', folder: join(dataDir, 'blobs') })

/** The location as text, without keys: equal for equal places, and what {@link readBlobsLocation} reads. */
export const writeBlobsLocation = ({ folder }: BlobsLocation): string => pathToFileURL(folder).href

/** The folder that a process which opens the store has to be able to write to. */
export const folderOf = ({ folder }: BlobsLocation): string => folder

/** Opens the store; makes its folder when it does not exist. */
export const openBlobs = ({ folder }: BlobsLocation): Promise<BlobStore> => openDiskBlobs(folder)
