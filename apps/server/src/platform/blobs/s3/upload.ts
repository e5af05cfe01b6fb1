import { createHash } from 'node:crypto'
import type { S3Client } from './s3-client.ts'
import type { Spooled } from './spool.ts'
import { ObjectStoreError } from './store-errors.ts'
import { textOf } from './xml.ts'

/** How many parts of one blob are sent at once. */
const PARTS_AT_ONCE = 4

/**
 * Stores an object, in parts when it has more than one. When it fails nothing of it remains, unless the store is away.
 */
export async function upload(client: S3Client, key: string, spooled: Spooled): Promise<void> {
  const [only, ...more] = spooled.parts
  if (more.length === 0) {
    await client.call({ method: 'PUT', key, body: only })
    return
  }
  const sends = spooled.parts.map(
    (body): SendPart =>
      async (query, signal) => {
        const { headers } = await client.call({ method: 'PUT', key, query, body, signal })
        return headers.etag ?? ''
      },
  )
  await uploadParts(client, key, spooled.size, sends)
}

/** Objects are copied in parts of this size. Stores allow up to 5 GiB. */
const COPY_BYTES = 2 ** 30

/** Copies an object of `size` bytes within a bucket; false when it does not exist. */
export async function copyObject(
  client: S3Client,
  { bucket, from, to, size }: { bucket: string; from: string; to: string; size: number },
  copyBytes = COPY_BYTES,
): Promise<boolean> {
  const source = { 'x-amz-copy-source': `/${bucket}/${from}` }
  const copy = { method: 'PUT', key: to, patienceMs: client.patience.assembleMs } as const
  if (size <= copyBytes)
    return (await client.call({ ...copy, headers: source, accept: [404] })).status !== 404
  const sends = Array.from(
    { length: Math.ceil(size / copyBytes) },
    (_, i): SendPart =>
      async (query, signal) => {
        const range = `bytes=${i * copyBytes}-${Math.min(size, (i + 1) * copyBytes) - 1}`
        const headers = { ...source, 'x-amz-copy-source-range': range }
        const { xml } = await client.call({ ...copy, query, headers, signal })
        return textOf(xml?.root, 'ETag')
      },
  )
  await uploadParts(client, to, size, sends)
  return true
}

/** Sends one part of an upload; resolves with its entity tag. */
type SendPart = (query: Record<string, string>, signal: AbortSignal) => Promise<string>

async function uploadParts(
  client: S3Client,
  key: string,
  size: number,
  sends: readonly SendPart[],
): Promise<void> {
  const created = await client.call({ method: 'POST', key, query: { uploads: '' } })
  const uploadId = textOf(created.xml?.root, 'UploadId')
  if (uploadId === '') throw new ObjectStoreError(created.status, 'its answer names no upload')
  try {
    const tags = await sendParts(uploadId, sends)
    await complete(client, key, { uploadId }, tags, size)
  } catch (error) {
    // What remains when this fails too is removed a day later: `removeOldUploads`.
    await client.call({ method: 'DELETE', key, query: { uploadId }, accept: [404] }).catch(() => {})
    throw error
  }
}

/** Resolves with the entity tags. When a part fails, the others are ended first: a late one would remain for ever. */
async function sendParts(uploadId: string, sends: readonly SendPart[]): Promise<string[]> {
  const tags: string[] = []
  const failing = new AbortController()
  const left = sends.entries()
  async function sendNext(): Promise<void> {
    for (const [i, send] of left) {
      failing.signal.throwIfAborted()
      tags[i] = await send({ partNumber: String(i + 1), uploadId }, failing.signal)
    }
  }
  const senders = Array.from({ length: PARTS_AT_ONCE }, () =>
    sendNext().catch((error) => failing.abort(error)),
  )
  await Promise.all(senders)
  failing.signal.throwIfAborted()
  return tags
}

async function complete(
  client: S3Client,
  key: string,
  query: Record<string, string>,
  tags: readonly string[],
  size: number,
): Promise<void> {
  const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
  const bytes = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
  )
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const body = { size: bytes.length, sha256, chunks: () => [bytes] }
  try {
    await client.call({ method: 'POST', key, query, body, patienceMs: client.patience.assembleMs })
  } catch (error) {
    // An earlier attempt, whose answer was lost, has succeeded.
    if (!(error instanceof ObjectStoreError) || error.reason !== 'NoSuchUpload') throw error
    const { status, headers } = await client.call({ method: 'HEAD', key, accept: [404] })
    if (status === 404 || Number(headers['content-length']) !== size) throw error
  }
}

/** Aborts uploads of parts that began before `before` (milliseconds since 1970): their processes were killed. */
export async function removeOldUploads(client: S3Client, prefix: string, before: number): Promise<void> {
  for await (const { key, uploadId } of listOldUploads(client, prefix, before)) {
    await client.call({ method: 'DELETE', key, query: { uploadId }, accept: [404] })
  }
}

export async function* listOldUploads(
  client: S3Client,
  prefix: string,
  before: number,
): AsyncGenerator<{ key: string; uploadId: string }> {
  let marker: Record<string, string> = {}
  for (;;) {
    const { xml } = await client.call({ method: 'GET', query: { uploads: '', prefix, ...marker } })
    for (const listed of xml?.root.children.get('Upload') ?? []) {
      const [key, uploadId] = [textOf(listed, 'Key'), textOf(listed, 'UploadId')]
      if (key.startsWith(prefix) && Date.parse(textOf(listed, 'Initiated')) < before) yield { key, uploadId }
    }
    if (textOf(xml?.root, 'IsTruncated') !== 'true') return
    marker = {
      'key-marker': textOf(xml?.root, 'NextKeyMarker'),
      'upload-id-marker': textOf(xml?.root, 'NextUploadIdMarker'),
    }
  }
}
