import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import type { BlobStore } from './blobs.ts'
import { copyBlobs } from './copy-blobs.ts'

test('[BAK-8] given a receiving store whose disk fails, when a blob is copied to it, then the copy fails, and the blob does not count as damaged', async (t) => {
  const [{ blobs: from }, { blobs: there }] = [await openTestBlobs(t), await openTestBlobs(t)]
  const { digest } = await from.put(Buffer.from('whole'))
  const failing: BlobStore = {
    ...there,
    async put(bytes) {
      for await (const _ of bytes as AsyncIterable<Uint8Array>);
      throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' })
    },
  }
  const wanted = async function* () {
    yield [digest]
  }
  await assert.rejects(copyBlobs({ from, to: failing }, wanted()), { code: 'EIO' })
})
