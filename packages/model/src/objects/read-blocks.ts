import type { EncodedGeometry } from '@meadow/contract'
import type { Transform } from '@meadow/geometry/values/value'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { openEncoded } from '../opennurbs/open-encoded.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { openTables } from '../walker/open-tables.ts'

/** The ids of the objects of each block definition of a .3dm file, by the id of the definition. Fails: `ModelFault`. */
export function readBlockDefinitions(bytes: Uint8Array): Map<string, string[]> {
  const definitions = new Map<string, string[]>()
  for (const { typeCode, body } of openTables(bytes)) {
    if (typeCode === TYPE.objectTable) break
    if (typeCode !== TYPE.blockTable) continue
    while (body.remaining > 0) {
      const record = body.chunk()
      if (record.typeCode !== TYPE.blockRecord) continue
      const [id, members] = readDefinition(readObject(record.body).data)
      definitions.set(id, members)
    }
  }
  return definitions
}

/** Source: `ON_InstanceDefinition::Read`, of which only what is needed. The older form starts with a version, `0x1n`. */
function readDefinition(data: ChunkReader): [id: string, members: string[]] {
  if (data.bytes[data.at] === 0) return readNewDefinition(data.chunkOf(TYPE.anonymous).body)
  data.version()
  return [data.uuid(), readIds(data)]
}

/** Reads the form of archives from version 60 on. */
function readNewDefinition(body: ChunkReader): [id: string, members: string[]] {
  body.skip(8)
  const id = readComponentId(body.chunkOf(TYPE.componentAttributes).body)
  // Skips the kind of update; then units, description, address, its name, and the bounding box.
  body.skip(4)
  body.chunkOf(TYPE.anonymous)
  for (let i = 0; i < 3; i++) body.text()
  body.skip(48)
  return [id, body.bool() ? readIds(body) : []]
}

const PRESENT = 1

/** Source: `ON_BinaryArchive::ReadModelComponentAttributes`. */
function readComponentId(attributes: ChunkReader): string {
  attributes.skip(8)
  if (attributes.byte() === PRESENT) attributes.skip(12)
  return attributes.byte() === PRESENT ? attributes.uuid() : ''
}

function readIds(reader: ChunkReader): string[] {
  return Array.from({ length: reader.count(16) }, () => reader.uuid())
}

/** A block in a model: an instance of a definition. */
export interface BlockInstance {
  definition: string
  transform: Transform
}

/** Source: `ON_InstanceRef::Read`. Fails: `ModelFault`. */
export function readBlockInstance(encoded: EncodedGeometry): BlockInstance {
  const { data } = readObject(openEncoded(encoded))
  data.version()
  return { definition: data.uuid(), transform: { type: 'transform', matrix: data.float64s(16) } }
}
