import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { lockBackup } from './moments.ts'

test('[BAK-15] given a target that fails after it has taken the sign of a backup, then the next backup does not wait for the first', async (t) => {
  const { blobs } = await openTestBlobs(t)
  const failing: BlobStore = Object.create(blobs, {
    writeMetadata: {
      async value(name: string, text: string) {
        await blobs.writeMetadata(name, text)
        throw new Error('EIO')
      },
    },
  })
  await assert.rejects(lockBackup(failing), /EIO/)
  await using _lock = await lockBackup(blobs)
  await assert.rejects(lockBackup(blobs), /Another backup to this target is running/)
})
