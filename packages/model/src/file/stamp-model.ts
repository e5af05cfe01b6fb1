import { crc32 } from 'node:zlib'
import { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { toUuidBytes } from '../opennurbs/uuid-bytes.ts'
import { HEADER_SIZE } from '../walker/open-tables.ts'
import { readArchiveVersion } from '../walker/read-archive-version.ts'
import { walkModel } from '../walker/walk-model.ts'
import { USER_STRING } from './user-strings.ts'

/**
 * Sets what the library cannot: objects get the id that their user strings contain instead of a random one, and
 * the dates become `savedAt`. Checksums are updated. Afterwards equal input yields equal bytes. Modifies
 * `bytes`; returns the number of objects. Fails: `ModelFault` when an object has no id.
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

/** Writes the checksum of a body without nested chunks, like those of all chunks that are stamped here. */
function stampChecksum(file: Buffer, start: number, end: number): void {
  file.writeUInt32LE(crc32(file.subarray(start, end)), end)
}

/** The author and date of creation and of the last change. Source: `ON_3dmRevisionHistory::Write`. */
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

/** Returns the date of the last change, with a resolution of a second. Fails: `ModelFault` if the file lacks it. */
export function readSavedAt(bytes: Uint8Array): Date {
  readArchiveVersion(bytes)
  const history = findRevisionHistory(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  history.version()
  // The author and date of creation come first, then the author of the change.
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

/** Converts a date to the format of C's `struct tm`, in UTC: months from 0, years from 1900. */
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
