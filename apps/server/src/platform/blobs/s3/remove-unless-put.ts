import type { S3Client } from './s3-client.ts'
import { copyObject } from './upload.ts'

interface RemovalKeys {
  bucket: string
  blob: string
  /** The key of the blob while it is being removed. */
  aside: string
  /** The key of the mark that a writer writes who finds the blob, before looking whether the blob is still there. */
  mark: string
}

/** When looking and copying took longer than this, another process may be removing the same blob by now. */
const MAX_REMOVAL_MS = 30_000

/**
 * Removes a blob that was not put since `before`, in a store that cannot rename. A writer writes the mark, then looks
 * for the blob. Here the blob is deleted, then the mark is looked for. So either the writer finds the blob missing, and
 * writes it again; or the mark is found, and the blob comes back from its copy. In between, readers find the copy, and
 * also after a crash, until the next removal of this blob ends the work. Only one process at a time may remove.
 */
export async function removeUnlessPut(client: S3Client, keys: RemovalKeys, before: number): Promise<boolean> {
  const wasPut = async (key: string) => {
    const found = await findObject(client, key)
    return found !== undefined && found.putAt >= before
  }
  const copy = (size: number, from: string, to: string) =>
    copyObject(client, { bucket: keys.bucket, from, to, size })
  const startedAt = performance.now()
  const found = await findObject(client, keys.blob)
  if (found) {
    if (found.putAt >= before || (await wasPut(keys.mark))) {
      await remove(client, keys.aside)
      return false
    }
    if (!(await copy(found.size, keys.blob, keys.aside))) return false
    if (performance.now() - startedAt > MAX_REMOVAL_MS) return false
    await remove(client, keys.blob)
  }
  if (await wasPut(keys.mark)) {
    const aside = await findObject(client, keys.aside)
    if (aside) await copy(aside.size, keys.aside, keys.blob)
    await remove(client, keys.aside)
    return false
  }
  await remove(client, keys.aside)
  await remove(client, keys.mark)
  return true
}

async function findObject(client: S3Client, key: string) {
  const { status, headers } = await client.call({ method: 'HEAD', key, accept: [404] })
  if (status === 404) return undefined
  return { putAt: Date.parse(headers['last-modified'] ?? ''), size: Number(headers['content-length']) }
}

const remove = (client: S3Client, key: string) => client.call({ method: 'DELETE', key, accept: [404] })
