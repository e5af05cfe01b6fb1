import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import type { GraphContent } from '@meadow/contract'
import { readModelGeometry } from '@meadow/model'
import type { StoredJson } from '../../../content/content.store.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { putCompressed } from '../../../platform/blobs/compressed-bodies.ts'
import type { Job, JobParts } from '../../../platform/processes/job-child.ts'
import { reasonOf } from '../../../platform/system-errors.ts'
import type { StoredForms, StoredModel } from '../solutions.store.ts'
import type { BodyRequest, MadeBody } from './body-pool.ts'
import { type GrowthReport, openGrowingFile } from './growing-file.ts'
import { addGeometry, type GeometryByPosition, type NamePort, writeBimDocument } from './write-bodies.ts'
import { writeScene } from './write-scene.ts'

const UNPACKED_CHUNK_BYTES = 64 * 1024
const NO_GEOMETRY: GeometryByPosition = new Map()

/** Creates the job of a `BodyPool`. */
export const createJob =
  ({ blobs }: JobParts): Job<BodyRequest, MadeBody> =>
  (request, { report }) =>
    makeBody(request, blobs!, report)

/**
 * Makes a body of a solution and puts it into the blob store. If the model file is missing or broken, a BIM document is
 * made without geometry, and the other forms are not made. Throws when the values cannot be read or nothing can be
 * stored.
 */
export async function makeBody(
  request: BodyRequest,
  blobs: BlobStore,
  report: (report: GrowthReport) => void = () => {},
): Promise<MadeBody> {
  const { form, model, content } = request
  if (form === 'scene') return makeScene(request, blobs)
  const read = model ? await readGeometry(model, blobs) : { geometry: NO_GEOMETRY }
  const fault = 'reason' in read ? { fault: read.reason } : {}
  if (form === 'geometry' && 'reason' in read) return { forms: undefined, ...fault }
  const geometry = 'reason' in read ? NO_GEOMETRY : read.geometry
  const values = readValues(request.values, blobs)
  const chunks =
    form === 'geometry'
      ? addGeometry(values, geometry)
      : writeBimDocument(values, request, geometry, await readPortNames(content, blobs))
  await using growing =
    request.growing === undefined
      ? undefined
      : await openGrowingFile(request.growing, (bytes) => report({ bytes, ...fault }))
  return { forms: await put(chunks, blobs, growing?.append), ...fault }
}

/** The scene that the editor draws. */
async function makeScene(request: BodyRequest, blobs: BlobStore): Promise<MadeBody> {
  const { model } = request
  const file = model && (await blobs.read(model.digest))
  if (!file) return { forms: undefined, fault: 'The model file is missing.' }
  if (createHash('sha256').update(file).digest('hex') !== model.digest)
    return { forms: undefined, fault: 'The bytes of the model file are not those that were written.' }
  return { forms: await put(await writeScene(file, request), blobs) }
}

async function readGeometry({ digest, bytes, objects }: StoredModel, blobs: BlobStore) {
  try {
    const file = await blobs.read(digest)
    if (!file) return { reason: 'The model file is missing.' }
    return await readModelGeometry(file, { sha256: digest, length: bytes, objectCount: objects })
  } catch (error) {
    return { reason: `The model file cannot be read: ${reasonOf(error)}.` }
  }
}

/** The body without geometry, in chunks. Throws when it is missing, damaged or not as long as it should be. */
async function* readValues({ gzip, bytes }: StoredForms, blobs: BlobStore): AsyncGenerator<Uint8Array> {
  const packed = await blobs.open(gzip)
  if (!packed) throw new Error(`The blob ${gzip} of a solution's values is missing.`)
  let length = 0
  const chunks = packed.stream().compose(createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES }))
  try {
    for await (const chunk of chunks) {
      length += chunk.length
      yield chunk
    }
  } catch (cause) {
    throw new Error('A body in the blob store is damaged.', { cause })
  }
  if (length !== bytes) throw new Error('A body in the blob store is damaged.')
}

/** Names as in the model file. The document may have been edited since, so that a node may be missing. */
async function readPortNames(content: StoredJson | undefined, blobs: BlobStore): Promise<NamePort> {
  const bytes = content && ('bytes' in content ? content.bytes : await blobs.read(content.digest))
  if (!bytes) return () => ''
  const { nodes }: GraphContent = JSON.parse(new TextDecoder().decode(bytes))
  return (nodeInstanceId, portInstanceId) => nodes[nodeInstanceId]?.ports[portInstanceId]?.name ?? ''
}

async function put(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  blobs: BlobStore,
  onGzip?: (chunk: Uint8Array) => Promise<void>,
): Promise<StoredForms> {
  const { gzip, zstd, bytes } = await putCompressed(blobs, chunks, onGzip)
  return { gzip: gzip.digest, zstd: zstd.digest, bytes }
}
