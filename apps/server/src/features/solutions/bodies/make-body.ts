import { createHash } from 'node:crypto'
import type { GraphContent } from '@meadow/contract'
import { readModelGeometry } from '@meadow/model'
import type { StoredJson } from '../../../content/content.store.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { gunzip, putCompressed } from '../../../platform/blobs/compressed-bodies.ts'
import { reasonOf } from '../../../platform/system-errors.ts'
import { writeScene } from '../scene/write-scene.ts'
import type { StoredForms, StoredModel } from '../stored-solution.ts'
import { addGeometry, type GeometryByPlace } from './add-geometry.ts'
import type { BodyRequest, MadeBody } from './body-request.ts'
import { inPieces } from './in-pieces.ts'
import { type NamePort, writeObjects } from './write-objects.ts'

const NOTHING: GeometryByPlace = new Map()

/**
 * Makes a body of a solution and puts it into the blob store. A model file that is missing or broken gives a BIM
 * document without geometry, and no body with geometry. Fails when the values cannot be read, or nothing be stored.
 */
export async function makeBody(request: BodyRequest, blobs: BlobStore): Promise<MadeBody> {
  const { form, model, content } = request
  if (form === 'scene') return makeScene(request, blobs)
  const read = model ? await readGeometry(model, blobs) : { geometry: NOTHING }
  const fault = 'reason' in read ? { fault: read.reason } : {}
  if (form === 'geometry') {
    if ('reason' in read) return { forms: undefined, ...fault }
    return { forms: await put(addGeometry(await readValues(request.values, blobs), read.geometry), blobs) }
  }
  const geometry = 'reason' in read ? NOTHING : read.geometry
  const namePort = await readPortNames(content, blobs)
  const values = await readValues(request.values, blobs)
  return { forms: await put(writeObjects(values, request, geometry, namePort), blobs), ...fault }
}

/** What the editor draws. A model file that is missing or broken gives none. */
async function makeScene(request: BodyRequest, blobs: BlobStore): Promise<MadeBody> {
  const { model } = request
  const file = model && (await blobs.read(model.digest))
  if (!file) return { forms: undefined, fault: 'The model file is missing.' }
  if (createHash('sha256').update(file).digest('hex') !== model.digest)
    return { forms: undefined, fault: 'The bytes of the model file are not those that were written.' }
  return { forms: await put(writeScene(file, request), blobs) }
}

async function put(parts: Iterable<Uint8Array | string>, blobs: BlobStore): Promise<StoredForms> {
  const { gzip, zstd, bytes } = await putCompressed(blobs, inPieces(parts), { gzipLevel: 3 })
  return { gzip: gzip.digest, zstd: zstd.digest, bytes }
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

/** The names as the model file has them; the document may have changed since, and a node may be gone. */
async function readPortNames(content: StoredJson | undefined, blobs: BlobStore): Promise<NamePort> {
  const bytes = content && ('bytes' in content ? content.bytes : await blobs.read(content.digest))
  if (!bytes) return () => ''
  const { nodes }: GraphContent = JSON.parse(new TextDecoder().decode(bytes))
  return (nodeInstanceId, portInstanceId) => nodes[nodeInstanceId]?.ports[portInstanceId]?.name ?? ''
}
