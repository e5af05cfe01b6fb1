import type { ObjectType } from '@meadow/contract/web'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { NIL_ID, toClassId } from '../opennurbs/class-ids.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { readAttributes } from '../walker/read-attributes.ts'

export interface ObjectCounts {
  types: Map<ObjectType, number>
  /** The number of objects on each layer, by the index of the layer. */
  layers: Map<number, number>
  ids: Set<string>
}

/** Counts a record of the table of objects, or of lights. Members of blocks have their id listed, and no more. */
export function countObjects(
  typeCode: number,
  record: ChunkReader,
  { types, layers, ids }: ObjectCounts,
  maxIds: number,
): void {
  if (typeCode !== TYPE.objectRecord && typeCode !== TYPE.lightRecord) return
  const { type, attributes } = readRecord(record)
  if (!attributes) throw new ModelFault('an object without its attributes')
  const { id, layerIndex, isInBlock } = readAttributes(attributes)
  if (ids.size < maxIds && id !== NIL_ID) ids.add(id)
  if (isInBlock) return
  types.set(type, (types.get(type) ?? 0) + 1)
  layers.set(layerIndex, (layers.get(layerIndex) ?? 0) + 1)
}

function readRecord(record: ChunkReader): { type: ObjectType; attributes: ChunkReader | undefined } {
  let type: ObjectType = 'other'
  let attributes: ChunkReader | undefined
  while (record.remaining > 0) {
    const { typeCode, value, body } = record.chunk()
    if (typeCode === TYPE.objectType) type = BY_TYPE[value >>> 0] ?? type
    else if (typeCode === TYPE.class) type = findTypeOfClass(body) ?? type
    else if (typeCode === TYPE.objectAttributes || typeCode === TYPE.lightAttributes) attributes = body
    else if (typeCode === TYPE.objectRecordEnd || typeCode === TYPE.lightRecordEnd) break
  }
  return { type, attributes }
}

/** Values of openNURBS' `ON::object_type` that are one type here. */
const BY_TYPE: Readonly<Record<number, ObjectType>> = {
  1: 'point',
  2: 'point_cloud',
  4: 'curve',
  8: 'surface',
  16: 'brep',
  32: 'mesh',
  256: 'light',
  512: 'text',
  4096: 'block_instance',
  8192: 'text_dot',
  32768: 'detail',
  65536: 'hatch',
  262144: 'subd',
  536870912: 'clipping_plane',
  1073741824: 'extrusion',
}

/** Classes that share a value of `ON::object_type` with others: annotations, of versions 2, 5 and 6, and more. */
const BY_CLASS: Readonly<Record<string, ObjectType>> = {
  '36f53175-72b8-4d47-bf1f-b4e6fc24f4b9': 'extrusion',
  'f09ba4d9-455b-42c3-ba3b-e6cceacef853': 'subd',
  '85a08513-f383-11d3-bfe7-0010830122f0': 'light',
  'dbc5a584-ce3f-4170-98a8-497069ca5c36': 'clipping_plane',
  // A brep of version 2.
  '2d4cfedb-3e2a-11d4-800e-0010830122f0': 'brep',
  'c8c66efa-b3cb-4e00-9440-2ad66203379e': 'detail',
  '74198302-cdf4-4f95-9609-6d684f22ab37': 'text_dot',
  '8bd94e19-59e1-11d4-8018-0010830122f0': 'text_dot',
  '57376349-62a9-4a16-b411-a46bcd544790': 'text',
  '46f75541-f46b-48be-aa7e-b353bbe068a7': 'text',
  '5de6b210-486b-11d4-8014-0010830122f0': 'text',
  '945bf594-6ff9-4f5c-bfc0-b3af528f29d2': 'leader',
  '14922b7a-5b65-4f11-8345-d415a9637129': 'leader',
  '5de6b211-486b-11d4-8014-0010830122f0': 'leader',
  'e550882b-f44d-4154-a1ef-6e50cbbbf543': 'dimension',
  'd417786b-f6cd-4f12-9e1f-063f414dbeb6': 'dimension',
  'fc749c2f-4c00-41fd-9840-26d94f047ad3': 'dimension',
  '03124828-4c9b-4d28-9a82-664ddde7a14f': 'dimension',
  'd46767ba-7e8f-4d9d-9a92-66050219a5b9': 'dimension',
  'bd57f33b-a1b2-46e9-9c6e-af09d30ffdde': 'dimension',
  'b2b683fc-7964-4e96-b1f9-9b356a76b08b': 'dimension',
  '841bc40b-a971-4a8e-94e5-bba26d67348e': 'dimension',
  'c8288d69-5bd8-4f50-9baf-525a0086b0c3': 'dimension',
  '5de6b20d-486b-11d4-8014-0010830122f0': 'dimension',
  '5de6b20e-486b-11d4-8014-0010830122f0': 'dimension',
  '5de6b20f-486b-11d4-8014-0010830122f0': 'dimension',
}

function findTypeOfClass(body: ChunkReader): ObjectType | undefined {
  return BY_CLASS[toClassId(body.chunkOf(TYPE.classId).body.uuid())]
}
