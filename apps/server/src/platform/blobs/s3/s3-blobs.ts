import { type BlobStore, checkMetadataName, isDigest, type ListedBlob, type OpenBlob } from '../blobs.ts'
import type { GetKeys } from './keys.ts'
import type { S3Access, S3Location } from './location.ts'
import { DamagedBlobError, openObject } from './open-object.ts'
import { removeUnlessPut } from './remove-unless-put.ts'
import { createS3Client, type S3Client, type S3Patience } from './s3-client.ts'
import { type Spooled, spoolBytes, spoolStream } from './spool.ts'
import { ObjectStoreError } from './store-errors.ts'
import { listOldUploads, removeOldUploads, upload } from './upload.ts'
import { textOf } from './xml.ts'

export interface S3BlobsOptions {
  getKeys: GetKeys
  patience?: Partial<S3Patience> | undefined
  /** A blob that was put within this time is not collected as garbage, so putting it again writes nothing. */
  recentMs?: number
  /** How many blobs are listed at once. */
  pageSize?: number
  /** Whether this is a child process, which does not check the bucket, since its parent did. */
  isChild?: boolean
}

/** No upload takes this long: older ones are left over from a crash. */
const LEFTOVER_AFTER_MS = 24 * 60 * 60 * 1000

const RECENT_MS = 60 * 60 * 1000

/** The probe is repeated no more often than this, since writing is charged and many clients ask for readiness. */
const PROBE_EVERY_MS = 10_000

/**
 * Opens a blob store in a bucket: `blobs/ab12…` for each blob, `marks/`, and `removed/` for blobs that are being
 * removed, below the prefix of the location. The object store has to show a write to every reader at once, as current
 * ones do.
 */
export async function openS3Blobs(
  location: S3Location & S3Access,
  { getKeys, patience, recentMs = RECENT_MS, pageSize = 1000, isChild = false }: S3BlobsOptions,
): Promise<BlobStore> {
  const client = createS3Client(location, { getKeys, patience })
  const keys = createKeyNames(location.prefix)
  if (!isChild) await checkBucket(client, location)

  async function findSize(key: string): Promise<number | undefined> {
    const { status, headers } = await client.call({ method: 'HEAD', key, accept: [404] })
    return status === 404 ? undefined : Number(headers['content-length'])
  }

  async function openKey(key: string, digest: string): Promise<OpenBlob | undefined> {
    const first = await client.request({ method: 'GET', key, accept: [404] })
    if (first.statusCode !== 404) return openObject(client, { key, digest, first })
    first.resume()
    return undefined
  }

  /** Finds something in the places of a blob: while it is removed, and perhaps comes back, it is in one of them. */
  async function findAt<T>(
    digest: string,
    find: (key: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!isDigest(digest)) return undefined
    for (const key of [keys.blob(digest), keys.removed(digest), keys.blob(digest)]) {
      const found = await find(key)
      if (found !== undefined) return found
    }
    return undefined
  }

  async function open(digest: string): Promise<OpenBlob | undefined> {
    return findAt(digest, (key) => openKey(key, digest))
  }

  async function read(digest: string): Promise<Buffer | undefined> {
    const blob = await open(digest)
    if (!blob) return undefined
    const chunks: Uint8Array[] = []
    await blob.pour(async (chunk) => void chunks.push(chunk))
    return Buffer.concat(chunks)
  }

  async function size(digest: string): Promise<number | undefined> {
    return findAt(digest, findSize)
  }

  /**
   * Stores a blob unless it is there. For an old one, a mark that it is wanted again is written before it is looked
   * for.
   */
  async function store(spooled: Spooled): Promise<void> {
    const { digest, size: wanted } = spooled
    const key = keys.blob(digest)
    const { status, headers } = await client.call({ method: 'HEAD', key, accept: [404] })
    const isThere = status !== 404 && Number(headers['content-length']) === wanted
    if (isThere) {
      if (Date.parse(headers['last-modified']!) > readDate(headers.date) - recentMs) return
      await writeText(client, keys.put(digest), '')
      if ((await findSize(key)) === wanted) return
    }
    await upload(client, key, spooled)
  }

  let probedAt = Number.NEGATIVE_INFINITY

  return {
    async put(bytes) {
      const isBytes = bytes instanceof Uint8Array
      await using spooled = isBytes ? spoolBytes(bytes) : await spoolStream(bytes, location.spoolFolder)
      await store(spooled)
      return { digest: spooled.digest, size: spooled.size }
    },
    open,
    async read(digest) {
      try {
        return await read(digest)
      } catch (error) {
        // A network may have changed the bytes on their way.
        if (!(error instanceof DamagedBlobError)) throw error
        return read(digest)
      }
    },
    has: async (digest) => (await size(digest)) !== undefined,
    size,
    async remove(digest) {
      if (!isDigest(digest)) return
      for (const key of [keys.removed(digest), keys.put(digest), keys.blob(digest)]) {
        await client.call({ method: 'DELETE', key, accept: [404] })
      }
    },
    removeUnlessPut: async (digest, before) =>
      !isDigest(digest) ||
      removeUnlessPut(
        client,
        {
          bucket: location.bucket,
          blob: keys.blob(digest),
          aside: keys.removed(digest),
          mark: keys.put(digest),
        },
        before,
      ),
    async createAddress({ digest, mediaType, disposition }, seconds) {
      if (!isDigest(digest) || (await findSize(keys.blob(digest))) === undefined) return undefined
      const query = { 'response-content-type': mediaType, 'response-content-disposition': disposition }
      return client.sign(keys.blob(digest), query, seconds)
    },
    list: () => listBlobs(client, keys.blob(''), pageSize),
    async countUnfinished(before) {
      try {
        return (await Array.fromAsync(listOldUploads(client, location.prefix, before))).length
      } catch (error) {
        if (error instanceof ObjectStoreError) return undefined
        throw error
      }
    },
    async checkWritable() {
      const key = `${location.prefix}write-probe`
      if (performance.now() - probedAt < PROBE_EVERY_MS) {
        await client.call({ method: 'HEAD', key })
        return
      }
      await writeText(client, key, new Date().toISOString())
      probedAt = performance.now()
    },
    async readMetadata(name) {
      const response = await client.request({ method: 'GET', key: keys.metadata(name), accept: [404] })
      const text = Buffer.concat(await Array.fromAsync(client.read(response))).toString()
      return response.statusCode === 404 ? undefined : text
    },
    async listMetadata(prefix) {
      const names: string[] = []
      for await (const { name } of listObjects(client, keys.allMetadata + prefix, pageSize))
        names.push(prefix + name)
      return names
    },
    writeMetadata: async (name, text) => writeText(client, keys.metadata(name), text),
    async removeMetadata(name) {
      await client.call({ method: 'DELETE', key: keys.metadata(name), accept: [404] })
    },
  }
}

const createKeyNames = (prefix: string) => ({
  blob: (digest: string) => `${prefix}blobs/${digest}`,
  removed: (digest: string) => `${prefix}removed/${digest}`,
  allMetadata: `${prefix}marks/`,
  metadata: (name: string) => `${prefix}marks/${checkMetadataName(name)}`,
  /** Returns the key of the mark that a blob was put again. */
  put: (digest: string) => `${prefix}marks/put-${digest}`,
})

const writeText = (client: S3Client, key: string, text: string) =>
  upload(client, key, spoolBytes(Buffer.from(text)))

/** Returns the time by the clock of the store, or by this process's clock if the store does not send it. */
const readDate = (date: string | undefined): number => Date.parse(date ?? '') || Date.now()

/** Fails with a sentence when the bucket cannot be used, and aborts what a crash left behind. */
async function checkBucket(client: S3Client, { bucket, endpoint, prefix }: S3Location): Promise<void> {
  try {
    await client.call({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1', prefix } })
  } catch (cause) {
    throw new Error(`The bucket "${bucket}" at ${endpoint} cannot be used. ${(cause as Error).message}`, {
      cause,
    })
  }
  try {
    await removeOldUploads(client, prefix, Date.now() - LEFTOVER_AFTER_MS)
  } catch (error) {
    // Some stores cannot list uploads. Old ones are then left to the rules of the bucket.
    if (!(error instanceof ObjectStoreError)) throw error
  }
}

async function* listBlobs(client: S3Client, prefix: string, pageSize: number): AsyncGenerator<ListedBlob> {
  for await (const { name, size, putAt } of listObjects(client, prefix, pageSize)) {
    if (isDigest(name)) yield { digest: name, size, putAt }
  }
}

/** Lists the objects whose keys begin with `prefix`, by the rest of their keys. */
async function* listObjects(
  client: S3Client,
  prefix: string,
  pageSize: number,
): AsyncGenerator<{ name: string; size: number; putAt: number }> {
  let query: Record<string, string> = { 'list-type': '2', 'max-keys': String(pageSize), prefix }
  for (;;) {
    const { xml } = await client.call({ method: 'GET', query })
    const page = xml?.root.children.get('Contents') ?? []
    for (const listed of page) {
      yield {
        name: textOf(listed, 'Key').slice(prefix.length),
        size: Number(textOf(listed, 'Size')),
        putAt: Date.parse(textOf(listed, 'LastModified')),
      }
    }
    if (textOf(xml?.root, 'IsTruncated') !== 'true') return
    query = { ...query, 'start-after': textOf(page.at(-1), 'Key') }
  }
}
