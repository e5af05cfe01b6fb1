import { crc32 } from 'node:zlib'
import { ModelFault } from '../model-fault.ts'
import { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { toUuidBytes } from '../opennurbs/uuid-bytes.ts'
import { readArchiveVersion } from '../walker/read-archive-version.ts'
import { HEADER_SIZE, walkModel } from '../walker/walk-model.ts'
import { USER_STRING } from './user-strings.ts'

/**
 * Puts right in a file what the library lets nobody choose: objects get the id that their user strings name instead
 * of a random one, and the dates become `savedAt`. Checksums follow. After this, equal input gives equal bytes.
 * Changes `bytes`; returns how many objects they have. Fails: `ModelFault` when an object names no id.
 */
export function stampModel(bytes: Uint8Array, savedAt: Date): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  stampDates(file, savedAt)
  let count = 0
  for (const { userStrings, attributes } of walkModel(file)) {
    const id = userStrings.get(USER_STRING.platformId)
    if (!id) throw new ModelFault('an object without an id of ours')
    file.set(toUuidBytes(id), attributes.start + 1)
    stampChecksum(file, attributes.start, attributes.end)
    count++
  }
  return count
}

/** Right for a body without chunks inside, as those that are stamped here are. */
function stampChecksum(file: Buffer, start: number, end: number): void {
  file.writeUInt32LE(crc32(file.subarray(start, end)), end)
}

/** Who made the file and when, who changed it and when. Source: `ON_3dmRevisionHistory::Write`. */
function stampDates(file: Buffer, savedAt: Date): void {
  const history = findRevisionHistory(file)
  const { at: start, remaining } = history
  history.version()
  for (let i = 0; i < 2; i++) {
    history.text()
    let at = history.skip(32)
    for (const part of toCalendar(savedAt)) at = file.writeInt32LE(part, at)
  }
  stampChecksum(file, start, start + remaining)
}

/** When the file was last changed, to the second. Fails: `ModelFault` when it does not say so. */
export function readSavedAt(bytes: Uint8Array): Date {
  readArchiveVersion(bytes)
  const history = findRevisionHistory(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  history.version()
  // Who made it and when, then who changed it.
  history.text()
  history.skip(32)
  history.text()
  const [second, minute, hour, day, month, year] = Array.from({ length: 6 }, () => history.int32())
  return new Date(Date.UTC(year! + 1900, month, day, hour, minute, second))
}

function findRevisionHistory(file: Buffer): ChunkReader {
  const reader = new ChunkReader(file, HEADER_SIZE)
  for (;;) {
    const { typeCode, body } = reader.chunk()
    if (typeCode !== TYPE.propertiesTable) continue
    while (body.remaining > 0) {
      const part = body.chunk()
      if (part.typeCode === TYPE.revisionHistory) return part.body
    }
  }
}

/** As C's `struct tm` has it, in UTC: months from 0, years from 1900. */
function toCalendar(date: Date): number[] {
  const year = date.getUTCFullYear()
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000)
  return [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    year - 1900,
    date.getUTCDay(),
    dayOfYear,
  ]
}
