import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { toClassId } from './class-ids.ts'
import { ModelFault } from './model-fault.ts'
import { TYPE } from './type-codes.ts'

/** Writes an object like openNURBS' `WriteObject`: the id of its class, its data, an end chunk. */
export function writeObject(writer: ChunkWriter, classId: string, writeData: () => void): void {
  writer.chunk(TYPE.class, () => {
    writer.chunk(TYPE.classId, () => writer.uuid(classId))
    writer.chunk(TYPE.classData, writeData)
    writer.short(TYPE.classEnd, 0)
  })
}

export interface ObjectChunk {
  classId: string
  data: ChunkReader
}

/** Reads what `writeObject` writes; skips user data after the data. */
export function readObject(reader: ChunkReader): ObjectChunk {
  const { body } = reader.chunkOf(TYPE.class)
  const classId = toClassId(body.chunkOf(TYPE.classId).body.uuid())
  const data = body.chunkOf(TYPE.classData).body
  for (;;) {
    const { typeCode } = body.chunk()
    if (typeCode === TYPE.classEnd) break
    if (typeCode !== TYPE.classUserData) throw new ModelFault('an object with something else inside')
  }
  if (body.remaining > 0) throw new ModelFault('an object that goes on after its end')
  return { classId, data }
}
