import type { DataValue, EncodedGeometry } from '@meadow/contract'
import { type ModelValue, openModelLibrary, walkModel } from '@meadow/model'

/** A model file with these objects, and their ids in the file, in order. */
export async function createModelFile(
  values: readonly ModelValue['value'][],
): Promise<{ bytes: Buffer; ids: string[] }> {
  await using library = openModelLibrary()
  const located = values.map((value, index): ModelValue => {
    const names = { nodeName: 'Model', portName: 'Object' }
    return { value, nodeInstanceId: 'n', portInstanceId: 'p', path: '{0}', index, ...names }
  })
  const { bytes } = await library.write(located, {
    documentId: 'doc_model',
    archiveVersion: 7,
    units: 'millimeters',
    savedAt: new Date(0),
  } as never)
  return { bytes: Buffer.from(bytes), ids: [...walkModel(bytes)].map(({ id }) => id) }
}

/** A reference to an object of a Rhino model, as an import reads it. */
export const refer = (
  id: string,
  type: 'curve' | 'brep' | 'mesh' | 'surface',
  more: Partial<DataValue> = {},
) =>
  ({
    type,
    value: { description: `${type} in a Rhino model`, boundingBox: null },
    referenceId: id,
    ...more,
  }) as DataValue

export const referToPoint = (id: string): DataValue => ({
  type: 'unknown',
  value: { description: 'Point in a Rhino model' },
  referenceId: id,
})

/** A text dot at (1, 2, 3), for which the solver has no type. */
export const TEXT_DOT: DataValue & { geometry: EncodedGeometry } = {
  type: 'unknown',
  value: { description: 'Text dot' },
  geometry: {
    version: 10000,
    archive3dm: 80,
    opennurbs: -1869833980,
    data: '+n8CAHMAAAAAAAAA+/8CABQAAAAAAAAAAoMZdPTNlU+WCW1oTyKrN8jY+OH8/wIAOwAAAAAAAAARAAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhADgAAAAUAAABNAGEAcgBrAAAAAAAAAAAAAAAAAAAAeyLjpf9/AoAAAAAAAAAAAA==',
  },
}
