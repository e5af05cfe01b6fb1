import { inflateRaw } from '@meadow/inflate'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { findPacking, pack } from '../archive/packing.ts'
import { findForm, readArchive } from '../archive/read-archive.ts'
import type { Archive } from '../archive/tree/archive.ts'
import { DEFAULT_LIMITS } from '../archive/tree/limits.ts'
import { writeArchive } from '../archive/write-archive.ts'

/** A file, and how to write another archive in its way. */
export interface Version {
  archive: Archive
  /** The file of another archive, in the form of this one, and compressed as it is where Meadow can do that. */
  write(archive: Archive): Uint8Array
}

/** Opens a .gh or .ghx file. Fails: `GrasshopperError` of `readArchive`. */
export function openVersion(bytes: Uint8Array): Version {
  const archive = readArchive(bytes, DEFAULT_LIMITS)
  if (findForm(bytes) === 'ghx')
    return { archive, write: (other) => writeXmlLike(Buffer.from(bytes).toString('utf8'), other) }
  const packing = findPacking(bytes, inflateRaw(bytes, DEFAULT_LIMITS.maxBytes).bytes)
  return { archive, write: (other) => new Uint8Array(pack(writeInflatedArchive(other), packing)) }
}

/** The XML as `writeArchive` has it, with the line ends, byte order mark and last line end of another text. */
function writeXmlLike(like: string, archive: Archive): Uint8Array {
  const written = Buffer.from(writeArchive(archive, { form: 'ghx' })).toString('utf8')
  const text = (like.startsWith('\ufeff') ? written : written.slice(1)) + (like.endsWith('\n') ? '\r\n' : '')
  return new Uint8Array(Buffer.from(like.includes('\r\n') ? text : text.replaceAll('\r\n', '\n')))
}
