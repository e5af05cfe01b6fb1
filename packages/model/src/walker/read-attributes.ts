import { ModelFault } from '../model-fault.ts'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'

export interface Attributes {
  id: string
  layerIndex: number
  name: string
}

/** What follows the layer says with this byte that it is the name; other things come after it. */
const NAME_ITEM = 1

/** The start of an object's attributes. Source: `ON_3dmObjectAttributes::Internal_ReadV5`. */
export function readAttributes(body: ChunkReader): Attributes {
  const { major } = body.version()
  if (major !== 2) throw new ModelFault(`attributes of form ${major}`)
  const id = body.uuid()
  const layerIndex = body.int32()
  return { id, layerIndex, name: body.byte() === NAME_ITEM ? body.text() : '' }
}
