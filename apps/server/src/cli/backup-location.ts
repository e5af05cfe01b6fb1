import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import {
  BLOBS_ACCEPTS,
  openBlobs,
  readBlobsLocation,
  type StoreLocation,
  writeBlobsLocation,
} from '../platform/blobs/open-blobs.ts'
import { UsageFailure } from './failure.ts'

/** The place of a backup, as the operator named it. */
export interface BackupLocation {
  /** As an address, without keys. */
  name: string
  open(): Promise<BlobStore>
}

/** Reads a path, or an address as `MEADOW_BLOBS` takes it. */
export function readBackupLocation(
  text: string,
  { backupAccess }: Pick<Config, 'backupAccess'>,
): BackupLocation {
  const location = /^(file|s3):/i.test(text) ? readBlobsLocation(text, backupAccess) : readFolder(text)
  if (!location) throw new UsageFailure(`The place of a backup must be a path, ${BLOBS_ACCEPTS}.`)
  return { name: writeBlobsLocation(location), open: () => openBlobs(location) }
}

const readFolder = (path: string): StoreLocation => ({ kind: 'disk', folder: resolve(path) })
