import type { DataValue } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { createChunk, createItem } from '../../../archive/create.ts'
import { sortItems } from '../../../archive/edit.ts'
import { encodeValue } from './encode-value.ts'
import { fitValue, holdsAny } from './fit-value.ts'
import { findValueClass } from './type-names.ts'

/** What became of a value that is not in the file as it is in the document. */
export type ValueFate = 'left_out' | 'converted' | 'uncertain'

/** The Item chunk of a value for a port of this type; one without items, which is null, for what it cannot hold. */
export function makeItem(
  value: DataValue | null,
  { typeName, namesClass }: { typeName: string; namesClass: boolean },
  report: (fate: ValueFate, value: DataValue) => void,
): Chunk {
  if (value === null) return createChunk('Item')
  const fitted = fitValue(value, typeName)
  const parts = fitted && encode(fitted.value, typeName, namesClass || holdsAny(typeName))
  if (!parts) {
    report('left_out', value)
    return createChunk('Item')
  }
  if (fitted.how) report(fitted.how, value)
  return sortItems(createChunk('Item', parts))
}

function encode(value: DataValue, typeName: string, namesClass: boolean): ReturnType<typeof encodeValue> {
  if (typeName === 'Point' && value.type === 'unknown' && !value.geometry) return encodePointReference(value)
  const parts = encodeValue(value)
  if (!parts || !namesClass) return parts
  const className = findValueClass(value)
  return className === undefined ? undefined : [...parts, createItem('string', 'TypeName', className)]
}

/** A point in a Rhino model, which is told otherwise than all else there. */
function encodePointReference({ referenceId }: DataValue): ReturnType<typeof encodeValue> {
  if (referenceId === undefined) return undefined
  return [
    createChunk('ReferenceData', [
      createItem('guid', 'RefID', referenceId),
      createItem('int32', 'RefIndex', -1),
      createItem('double', 'RefParam', 0, 0),
      createItem('double', 'RefParam', 0, 1),
      createItem('string', 'RefType', 'point_object'),
    ]),
  ]
}
