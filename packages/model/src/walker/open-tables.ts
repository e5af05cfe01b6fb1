import { type Chunk, ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { readArchiveVersion } from './read-archive-version.ts'

export const HEADER_SIZE = 32
/** The oldest archives that are read are those of Rhino 2, whose breps have another form. */
const OLDEST = 2

/** The form of the objects in a .3dm file, as `EncodedGeometry` states it. */
export interface ArchiveForm {
  version: number
  archive3dm: number
  /** The version of the library that wrote the file, as the signed number of the JSON format; 0 if the file lacks it. */
  opennurbs: number
}

/**
 * The tables of a .3dm file in order, with the form of the file as far as it is known by then: its properties come first.
 * Fails: `ModelFault`, possibly after some tables, for other and for truncated files.
 */
export function* openTables(bytes: Uint8Array): Generator<Chunk & { form: ArchiveForm }, void, undefined> {
  const archive3dm = readArchiveVersion(bytes)
  if (archive3dm < OLDEST) throw new ModelFault(`archives of version ${archive3dm} are not read here`)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader = new ChunkReader(buffer, HEADER_SIZE, buffer.length, archive3dm >= 50 ? 8 : 4)
  let form: ArchiveForm = { version: 10000, archive3dm, opennurbs: 0 }
  for (;;) {
    const table = reader.chunk()
    if (table.typeCode === TYPE.endOfFile) return
    if (table.typeCode === TYPE.propertiesTable)
      form = { ...form, opennurbs: readOpenNurbsVersion(table.body) }
    else yield { ...table, form }
  }
}

/** A short chunk of the properties. */
const WRITTEN_BY = 0xa0000026

function readOpenNurbsVersion(properties: ChunkReader): number {
  while (properties.remaining > 0) {
    const { typeCode, value } = properties.chunk()
    if (typeCode === WRITTEN_BY) return value | 0
  }
  return 0
}
