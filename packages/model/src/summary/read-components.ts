import type { ModelFacts } from '@meadow/contract/web'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { cut } from './read-properties.ts'

/** The sizes of the parts of early materials that are skipped. Colours have 4 bytes, numbers 8. */
const MATERIAL_V3 = { colours: 4 * 4 + 2 * 8 + 4, wire: 4 + 2 + 2 + 8 + 8 }

/** Source: `ON_Material::Read`, `ON_Material::Internal_ReadV5` and `ON_Material::Internal_ReadV3`. */
export function readMaterialName(record: ChunkReader): string {
  const { data } = readObject(record)
  if (isNext(data, TYPE.anonymous)) return readFlaggedName(readVersioned(readVersioned(data)))
  const { major } = data.version()
  if (major === 2) {
    const body = readVersioned(data)
    // Skips the id and the index.
    body.skip(16 + 4)
    return cut(body.text())
  }
  if (major !== 1) throw new ModelFault(`a material of form ${major}`)
  data.skip(MATERIAL_V3.colours + MATERIAL_V3.wire)
  // Skips the files of the picture, the bumps and the reflections.
  for (const sizeAfter of [8, 16, 8]) {
    data.text()
    data.skip(sizeAfter)
  }
  // Skips the index and the plug-in, then the name of a library.
  data.skip(4 + 16)
  data.text()
  return cut(data.text())
}

type Block = ModelFacts['blocks'][number]

/** Source: `ON_InstanceDefinition::Internal_ReadV6` and `Internal_ReadV5`. */
export function readBlock(record: ChunkReader): Block {
  const { data } = readObject(record)
  return isNext(data, TYPE.anonymous) ? readBlockV6(readVersioned(data)) : readBlockV5(data)
}

function readBlockV6(body: ChunkReader): Block {
  const name = readComponentName(body)
  // Skips the kind of source and the units.
  body.skip(4)
  body.chunkOf(TYPE.anonymous)
  skipTexts(body)
  body.skip(BOX_SIZE)
  const objects = body.bool() ? skipIds(body) : 0
  if (!body.bool()) return { name, objects, linkedFile: null }
  const file = readVersioned(readVersioned(body))
  const fullPath = file.text()
  return { name, objects, linkedFile: cut(file.text() || fullPath, MAX_PATH_LENGTH) || null }
}

function readBlockV5(data: ChunkReader): Block {
  data.version()
  data.skip(16)
  const objects = skipIds(data)
  const name = cut(data.text())
  skipTexts(data)
  data.skip(BOX_SIZE)
  const source = data.int32()
  const path = LINKED_V5.has(source) ? data.text() : ''
  return { name, objects, linkedFile: cut(path, MAX_PATH_LENGTH) || null }
}

const BOX_SIZE = 48
const MAX_PATH_LENGTH = 500
/** The numbers of linked sources: embedded and linked, or linked alone. */
const LINKED_V5 = new Set([2, 3])

/** Skips the description, the address, and the text of the address. */
function skipTexts(body: ChunkReader): void {
  for (let i = 0; i < 3; i++) body.text()
}

function skipIds(body: ChunkReader): number {
  const count = body.count(16)
  body.skip(16 * count)
  return count
}

const isNext = (reader: ChunkReader, typeCode: number): boolean =>
  reader.remaining >= 4 && reader.view.getUint32(reader.at, true) === typeCode

/** Opens a chunk that starts with two numbers, its major and minor version. */
function readVersioned(reader: ChunkReader): ChunkReader {
  const { body } = reader.chunkOf(TYPE.anonymous)
  body.skip(8)
  return body
}

/** The sizes of what precedes the name: id, id of the parent, index, each only if its bit is set. */
const FLAGGED_SIZES = [16, 16, 4]
const NAME_FLAG = 8

/** Source: `ON_ModelComponent::ReadModelComponentAttributes`. */
function readFlaggedName(attributes: ChunkReader): string {
  const flags = attributes.uint32()
  for (const [bit, size] of FLAGGED_SIZES.entries()) if (flags & (1 << bit)) attributes.skip(size)
  return flags & NAME_FLAG ? cut(attributes.text()) : ''
}

/** The sizes of what precedes the name: serial numbers, id, type and index, each only if a byte is 1. */
const ATTRIBUTE_SIZES = [12, 16, 4, 4]

/** Source: `ON_BinaryArchive::ReadModelComponentAttributes`. */
function readComponentName(body: ChunkReader): string {
  const attributes = body.chunkOf(TYPE.componentAttributes).body
  attributes.skip(8)
  for (const size of ATTRIBUTE_SIZES) if (attributes.byte() === 1) attributes.skip(size)
  return attributes.byte() === 1 ? cut(attributes.text()) : ''
}
