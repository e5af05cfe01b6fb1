import type { ChunkReader } from '../opennurbs/chunk-reader.ts'

/** A short chunk of the properties: the library that wrote the file. */
const WRITTEN_BY = 0xa0000026

/** As the signed number that the JSON form has; 0 where the file does not say. */
export function readOpenNurbsVersion(properties: ChunkReader): number {
  while (properties.remaining > 0) {
    const { typeCode, value } = properties.chunk()
    if (typeCode === WRITTEN_BY) return value | 0
  }
  return 0
}
