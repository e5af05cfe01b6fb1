import { createHash } from 'node:crypto'
import type { GraphContent } from '@meadow/contract'
import { readModelGeometry } from '@meadow/model'
import type { StoredJson } from '../../../content/content.store.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { gunzip, putCompressed } from '../../../platform/blobs/compressed-bodies.ts'
import { reasonOf } from '../../../platform/system-errors.ts'
import type { StoredForms, StoredModel } from '../solutions.store.ts'
import type { BodyRequest, MadeBody } from './body-pool.ts'
import { addGeometry, type GeometryByPosition, type NamePort, writeBimDocument } from './write-bodies.ts'
import { writeScene } from './write-scene.ts'

const NO_GEOMETRY: GeometryByPosition = new Map()

/**
 * Makes a body of a solution and puts it into the blob store. If the model file is missing or broken, a BIM document is
 * made without geometry, and the other forms are not made. Throws when the values cannot be read or nothing can be
 * stored.
 */
export async function makeBody(request: BodyRequest, blobs: BlobStore): Promise<MadeBody> {
  const { form, model, content } = request
  if (form === 'scene') return makeScene(request, blobs)
  const read = model ? await readGeometry(model, blobs) : { geometry: NO_GEOMETRY }
  const fault = 'reason' in read ? { fault: read.reason } : {}
  if (form === 'geometry') {
    if ('reason' in read) return { forms: undefined, ...fault }
    return { forms: await put(addGeometry(await readValues(request.values, blobs), read.geometry), blobs) }
  }
  const geometry = 'reason' in read ? NO_GEOMETRY : read.geometry
  const namePort = await readPortNames(content, blobs)
  const values = await readValues(request.values, blobs)
  return { forms: await put(writeBimDocument(values, request, geometry, namePort), blobs), ...fault }
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

async function readValues({ gzip, bytes }: StoredForms, blobs: BlobStore): Promise<Buffer> {
  const packed = await blobs.read(gzip)
  if (!packed) throw new Error(`The blob ${gzip} of a solution's values is missing.`)
  return gunzip(packed, bytes)
}

/** Names as in the model file. The document may have been edited since, so that a node may be missing. */
async function readPortNames(content: StoredJson | undefined, blobs: BlobStore): Promise<NamePort> {
  const bytes = content && ('bytes' in content ? content.bytes : await blobs.read(content.digest))
  if (!bytes) return () => ''
  const { nodes }: GraphContent = JSON.parse(new TextDecoder().decode(bytes))
  return (nodeInstanceId, portInstanceId) => nodes[nodeInstanceId]?.ports[portInstanceId]?.name ?? ''
}

async function put(parts: Iterable<Uint8Array | string>, blobs: BlobStore): Promise<StoredForms> {
  const { gzip, zstd, bytes } = await putCompressed(blobs, rechunk(parts), { gzipLevel: 3 })
  return { gzip: gzip.digest, zstd: zstd.digest, bytes }
}

const CHUNK_BYTES = 64 * 1024

/** The same bytes in chunks of up to 64 KB: compressing and writing have a cost per chunk. */
export function* rechunk(parts: Iterable<Uint8Array | string>): Generator<Uint8Array> {
  let collected: Uint8Array[] = []
  let length = 0
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    if (length > 0 && length + bytes.length > CHUNK_BYTES) {
      yield Buffer.concat(collected)
      collected = []
      length = 0
    }
    if (bytes.length > CHUNK_BYTES) yield* split(bytes)
    else {
      collected.push(bytes)
      length += bytes.length
    }
  }
  if (length > 0) yield Buffer.concat(collected)
}

function* split(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES)
  }
}
