import { resolve } from 'node:path'
import { UsageFailure } from '@meadow/command'
import type { Config } from '../config.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import {
  BLOBS_ACCEPTS,
  type BlobsLocation,
  openBlobs,
  openBlobsAsReader,
  readBlobsLocation,
  writeBlobsLocation,
} from '../platform/blobs/open-blobs.ts'

/** The place of a backup, as the operator named it. */
export interface BackupLocation {
  /** The address of the place, without keys. */
  name: string
  /** Makes a folder that does not exist. */
  openToWrite(): Promise<BlobStore>
  openToRead(): Promise<BlobStore>
}

/** Reads a path, or an address as `MEADOW_BLOBS` takes it. */
export function readBackupLocation(
  text: string,
  { backupAccess }: Pick<Config, 'backupAccess'>,
): BackupLocation {
  const location = /^[a-z0-9]{2,}:\/\//i.test(text) ? readBlobsLocation(text, backupAccess) : readFolder(text)
  if (!location) throw new UsageFailure(`The place of a backup must be a path, ${BLOBS_ACCEPTS}.`)
  return {
    name: writeBlobsLocation(location),
    openToWrite: () => openBlobs(location),
    openToRead: () => openBlobsAsReader(location),
  }
}

const readFolder = (path: string): BlobsLocation => ({ kind: 'disk', folder: resolve(path) })
