import type { Chunk, ChunkReader } from '../opennurbs/chunk-reader.ts'
import { CLASS, toClassId } from '../opennurbs/class-ids.ts'
import { toEncodedGeometry } from '../opennurbs/encoded-geometry.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import type { ModelObject } from './model-object.ts'
import { type ArchiveForm, openTables } from './open-tables.ts'
import { readAttributes } from './read-attributes.ts'

/**
 * Lists the objects of the object table of a .3dm file, in order, without the library: chunks are skipped,
 * nothing is copied except the class chunk of each object. Supports archives from version 2 on. Lights, which
 * have a table of their own, are not included.
 * Fails: `ModelFault`, possibly after some objects, for other and for truncated files. Memory is proportional
 * to one object and the layer names, time to the number of bytes.
 */
export function* walkModel(bytes: Uint8Array): Generator<ModelObject, void, undefined> {
  let layers: ReadonlyMap<number, string> = new Map()
  for (const { typeCode, body, form } of openTables(bytes)) {
    if (typeCode === TYPE.layerTable) layers = readLayers(body)
    if (typeCode === TYPE.objectTable) yield* walkObjects(body, form, layers)
  }
}

function* walkObjects(
  table: ChunkReader,
  form: ArchiveForm,
  layers: ReadonlyMap<number, string>,
): Generator<ModelObject> {
  while (table.remaining > 0) {
    const { typeCode, body } = table.chunk()
    if (typeCode === TYPE.objectRecord) yield readObjectRecord(body, form, layers)
  }
}

function readObjectRecord(
  record: ChunkReader,
  form: ArchiveForm,
  layers: ReadonlyMap<number, string>,
): ModelObject {
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
  const { id, layerIndex, name, colour, materialIndex } = readAttributes(attributes)
  return {
    id,
    name,
    colour,
    materialIndex,
    layer: layers.get(layerIndex) ?? '',
    classId: toClassId(object.body.chunkOf(TYPE.classId).body.uuid()),
    userStrings: userData ? readUserStrings(userData.body) : new Map(),
    encode: () => toEncodedGeometry(record.bytes.subarray(object.start, object.end), form),
    attributes: { start, end: start + remaining },
  }
}

/** The names of layers by their index. Source: `ON_Layer::Read`. */
function readLayers(table: ChunkReader): Map<number, string> {
  const layers = new Map<number, string>()
  while (table.remaining > 0) {
    const { typeCode, body } = table.chunk()
    if (typeCode !== TYPE.layerRecord) continue
    const { data } = readObject(body)
    data.version()
    data.skip(4)
    const index = data.int32()
    // Skips the IGES level, the material, an obsolete index, the colour and an unused line style.
    data.skip(4 + 4 + 4 + 4 + 20)
    layers.set(index, data.text())
  }
  return layers
}

/**
 * Reads the user strings in the user data of an object. Source: `ON_BinaryArchive::ReadObjectUserData`,
 * `ON_UserStringList::Read`.
 */
function readUserStrings(userData: ChunkReader): Map<string, string> {
  const strings = new Map<string, string>()
  while (userData.remaining > 0) {
    const { typeCode, body } = userData.chunk()
    if (typeCode === TYPE.classUserData) readItem(body, strings)
  }
  return strings
}

function readItem(item: ChunkReader, strings: Map<string, string>): void {
  const { major } = item.version()
  if (major !== 2) return
  const header = item.chunkOf(TYPE.classUserDataHeader).body
  if (header.uuid() !== CLASS.userStrings) return
  const list = item.chunkOf(TYPE.anonymous).body.chunkOf(TYPE.anonymous).body
  list.skip(8)
  const count = list.count(12)
  for (let i = 0; i < count; i++) {
    const pair = list.chunkOf(TYPE.anonymous).body
    pair.skip(8)
    const key = pair.text()
    strings.set(key, pair.text())
  }
}
