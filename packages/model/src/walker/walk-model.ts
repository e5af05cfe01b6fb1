import { ModelFault } from '../model-fault.ts'
import { type Chunk, ChunkReader } from '../opennurbs/chunk-reader.ts'
import { toEncodedGeometry } from '../opennurbs/encoded-geometry.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import type { ModelObject } from './model-object.ts'
import { readArchiveVersion } from './read-archive-version.ts'
import { readAttributes } from './read-attributes.ts'
import { readLayers } from './read-layers.ts'
import { readOpenNurbsVersion } from './read-open-nurbs-version.ts'
import { readUserStrings } from './read-user-strings.ts'

/**
 * The objects of a .3dm file's object table, in its order, without a library: chunks are stepped over, nothing is
 * copied, and each object's class chunk is cut out as it stands. Archives from version 50 on. Lights, which have a
 * table of their own, are not among them.
 *
 * Fails: `ModelFault`, which may come after some objects, for bytes that are no such file or not all of one. Memory
 * stays in proportion to one object and its layer names, time to the number of bytes.
 */
export function* walkModel(bytes: Uint8Array): Generator<ModelObject, void, undefined> {
  const archive3dm = readArchiveVersion(bytes)
  if (archive3dm < 50) throw new ModelFault(`archives of version ${archive3dm} are not read here`)
  const reader = new ChunkReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), HEADER_SIZE)
  let opennurbs = 0
  let layers: ReadonlyMap<number, string> = new Map()
  for (;;) {
    const { typeCode, body } = reader.chunk()
    if (typeCode === TYPE.endOfFile) return
    if (typeCode === TYPE.propertiesTable) opennurbs = readOpenNurbsVersion(body)
    if (typeCode === TYPE.layerTable) layers = readLayers(body)
    if (typeCode === TYPE.objectTable)
      yield* walkObjects(body, { version: 10000, archive3dm, opennurbs }, layers)
  }
}

export const HEADER_SIZE = 32

interface Form {
  version: number
  archive3dm: number
  opennurbs: number
}

function* walkObjects(
  table: ChunkReader,
  form: Form,
  layers: ReadonlyMap<number, string>,
): Generator<ModelObject> {
  while (table.remaining > 0) {
    const { typeCode, body } = table.chunk()
    if (typeCode === TYPE.objectRecord) yield readObjectRecord(body, form, layers)
  }
}

function readObjectRecord(record: ChunkReader, form: Form, layers: ReadonlyMap<number, string>): ModelObject {
  const parts = new Map<number, Chunk>()
  while (record.remaining > 0) {
    const part = record.chunk()
    parts.set(part.typeCode, part)
  }
  const object = parts.get(TYPE.class)
  const attributes = parts.get(TYPE.objectAttributes)?.body
  if (!object || !attributes) throw new ModelFault('an object record without its object or attributes')
  const userData = parts.get(TYPE.objectAttributesUserData)
  const { at: start, remaining } = attributes
  const { id, layerIndex, name, colour } = readAttributes(attributes)
  return {
    id,
    name,
    colour,
    layer: layers.get(layerIndex) ?? '',
    userStrings: userData ? readUserStrings(userData.body) : new Map(),
    encode: () => toEncodedGeometry(record.bytes.subarray(object.start, object.end), form),
    attributes: { start, end: start + remaining },
  }
}
