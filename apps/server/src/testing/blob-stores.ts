import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutCheck } from '../../../../checks/load.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import { openBlobs, readBlobsLocation, s3AccessIn } from '../platform/blobs/open-blobs.ts'
import type { S3Access, S3Location } from '../platform/blobs/s3/location.ts'
import { openS3Blobs, type S3BlobsOptions } from '../platform/blobs/s3/s3-blobs.ts'
import { atEnd } from './at-end.ts'
import { createFolder } from './definition-folder.ts'
import { openTestBlobs } from './open-test-blobs.ts'
import { processScope } from './process-scope.ts'
import { openS3Server, type S3Server } from './s3-server.ts'

interface TestStore {
  blobs: BlobStore
  /** The same blobs, as another process has them. */
  openAgain(): Promise<BlobStore>
  /** Makes it long ago that these blobs were put. Resolves to a time that they are older than, and later puts are not. */
  makeOld(digests: readonly string[]): Promise<number>
  /** How often a race is tried, and how many blobs are listed. */
  rounds: number
  count: number
  /** A `Content-Disposition`. */
  disposition: string
}

interface StoreKind {
  name: string
  options: { skip?: string }
  open(t: TestContext): Promise<TestStore>
}

/** Fewer than are listed. */
const PAGE_SIZE = 7

const LONG_AGO_MS = 10 * 24 * 60 * 60 * 1000

const makeFilesOld = (pathOf: (digest: string) => string) => async (digests: readonly string[]) => {
  const time = (Date.now() - LONG_AGO_MS) / 1000
  for (const digest of digests) await utimes(pathOf(digest), time, time)
  return Date.now() - LONG_AGO_MS / 2
}

const disk: StoreKind = {
  name: 'a folder',
  options: {},
  async open(t) {
    const { folder, blobs, blobsLocation } = await openTestBlobs(t)
    return {
      blobs,
      openAgain: () => openBlobs(blobsLocation),
      makeOld: makeFilesOld((digest) => join(folder, digest.slice(0, 2), digest)),
      rounds: 200,
      count: 30,
      disposition: '',
    }
  },
}

let running: Promise<S3Server> | undefined

/** The object store of a file of tests. */
function startS3Server(): Promise<S3Server> {
  running ??= openS3Server().then((server) => {
    atEnd(processScope, server.close)
    return server
  })
  return running
}

/** A part of the object store of the file, for one test. */
export async function locateTestBucket(
  t: TestContext,
): Promise<S3Location & S3Access & { server: S3Server }> {
  const server = await startS3Server()
  const { endpoint, bucket, keys } = server
  const access = { keys, spoolFolder: await createFolder(t) }
  const place = {
    kind: 's3',
    endpoint,
    region: 'us-east-1',
    bucket,
    prefix: `${randomUUID()}/`,
    style: 'path',
  } as const
  return { ...place, ...access, server }
}

/** A store in a part of the object store of the file. */
export async function openTestBucket(t: TestContext, options: Partial<S3BlobsOptions> = {}) {
  const { server, ...location } = await locateTestBucket(t)
  const openAgain = () => openS3Blobs(location, { getKeys: async () => server.keys, ...options })
  const makeOld = makeFilesOld((digest) => server.pathOf(`${location.prefix}blobs/${digest}`))
  return { server, location, openAgain, makeOld, blobs: await openAgain() }
}

const noBucket = withoutCheck('@20minutes/s3rver')

const bucket: StoreKind = {
  name: 'a bucket',
  options: noBucket ? { skip: noBucket } : {},
  open: async (t) => ({
    ...(await openTestBucket(t, { pageSize: PAGE_SIZE })),
    rounds: 20,
    count: 30,
    disposition: 'attachment; filename="Tower 7.3dm"',
  }),
}

/** `MEADOW_TEST_S3`, such as `s3://bucket?endpoint=http://127.0.0.1:8080&region=eu-1`, with keys in the variables of AWS. */
const {
  MEADOW_TEST_S3: elsewhere = '',
  AWS_ACCESS_KEY_ID: accessKeyId = '',
  AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
  // biome-ignore lint/style/noProcessEnv: of whom runs the tests; no part of the service.
} = process.env

const real: StoreKind = {
  name: 'the bucket that MEADOW_TEST_S3 names',
  options: {},
  async open(t) {
    const access = s3AccessIn(await createFolder(t), { accessKeyId, secretAccessKey })
    const place = readBlobsLocation(elsewhere, access)
    if (place?.kind !== 's3') throw new Error('MEADOW_TEST_S3 names no bucket.')
    const location = { ...place, prefix: `${place.prefix}${randomUUID()}/` }
    const openAgain = () =>
      openS3Blobs(location, {
        getKeys: async () => ({ accessKeyId, secretAccessKey }),
        recentMs: 0,
        pageSize: PAGE_SIZE,
      })
    const blobs = await openAgain()
    atEnd(t, async () => {
      for await (const { digest } of blobs.list()) await blobs.remove(digest)
      await blobs.removeMetadata('secret')
      await blobs.removeMetadata('store')
    })
    // s3rver does not encode brackets, quotes and stars as the specification says.
    const disposition = `attachment; filename="Turme (_).3dm"; filename*=UTF-8''T%C3%BCrme%20%28%E5%A1%94%29.3dm`
    const makeOld = async () => {
      // Times of objects are whole seconds.
      await sleep(2100)
      return Date.now() - 1000
    }
    return { blobs, openAgain, makeOld, rounds: 3, count: 30, disposition }
  },
}

export const BLOB_STORES: readonly StoreKind[] = [disk, bucket, ...(elsewhere === '' ? [] : [real])]
