import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

/** The user strings among an object's user data. Source: `ON_BinaryArchive::ReadObjectUserData`, `ON_UserStringList::Read`. */
export function readUserStrings(userData: ChunkReader): Map<string, string> {
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
