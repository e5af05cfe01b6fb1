import { type Inflated, inflateRaw } from '@meadow/inflate'
import { readInflatedArchive } from './forms/read-binary.ts'
import { readXmlArchive } from './forms/read-xml.ts'
import { describeJson, describeOtherFile } from './other-files.ts'
import type { Archive } from './tree/archive.ts'
import { GrasshopperError } from './tree/grasshopper-error.ts'
import { DEFAULT_LIMITS, type Limits } from './tree/limits.ts'
import { startsWithRootName } from './tree/root-names.ts'
import type { ArchiveForm } from './write-archive.ts'

/**
 * Reads the bytes of a .gh, .ghx, .ghuser or .ghcluster file, or of a cluster's ClusterDocument. The content determines
 * the form, not the name. Byte arrays in the tree are copies: `bytes` may be reused and is not kept in memory.
 * Fails: `GrasshopperError` with `not_an_archive`, `truncated`, `malformed` or `too_large`.
 */
export function readArchive(bytes: Uint8Array, limits: Partial<Limits> = {}): Archive {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  if (bytes.length === 0) throw new GrasshopperError('not_an_archive', 'The file is empty', '')
  const other = describeOtherFile(bytes)
  if (other !== undefined) throw new GrasshopperError('not_an_archive', other, '')
  return isXml(bytes)
    ? readXmlArchive(bytes, bounds)
    : readInflatedArchive(inflate(bytes, bounds.maxBytes), bounds)
}

/** The form of an archive's bytes. */
export function findForm(bytes: Uint8Array): ArchiveForm {
  return isXml(bytes) ? 'ghx' : 'gh'
}

/** XML starts with `<?`, `<!` or `<A`, with or without a byte order mark. Deflated bytes can start with `<` too. */
function isXml(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 5)).toString('latin1')
  return /^(?:\xef\xbb\xbf)?<[?!A]/.test(start)
}

function inflate(packed: Uint8Array, maxBytes: number): Uint8Array {
  const inflated = inflateRaw(packed, maxBytes)
  const json = inflated.end === 'whole' ? undefined : describeJson(packed)
  if (json !== undefined) throw new GrasshopperError('not_an_archive', json, '')
  return checkInflated(inflated, packed, maxBytes)
}

/** Checks that a whole archive was inflated. Fails: `GrasshopperError`; the first bytes decide about `not_an_archive`. */
export function checkInflated(inflated: Inflated, packed: Uint8Array, maxBytes: number): Uint8Array {
  if (!startsAsArchive(inflated))
    throw new GrasshopperError('not_an_archive', 'The file is not a Grasshopper archive', '')
  checkEnd(inflated, maxBytes)
  const rest = packed.length - inflated.packedBytes
  if (rest > 0) throw new GrasshopperError('malformed', `${rest} bytes follow the end of the archive`, '')
  return inflated.bytes
}

/** The size of the length byte and the shortest root name. */
const SHORTEST_START = 5

/** A file truncated within its first bytes may be an archive; a complete file of so few bytes is not. */
const startsAsArchive = ({ end, bytes }: Inflated): boolean =>
  (end === 'truncated' || bytes.length >= SHORTEST_START) && startsWithRootName(bytes)

function checkEnd({ end }: Inflated, maxBytes: number): void {
  if (end === 'too_large')
    throw new GrasshopperError('too_large', `The archive inflates to more than ${maxBytes} bytes`, '')
  if (end === 'truncated') throw new GrasshopperError('truncated', 'The file ends too early', '')
  if (end === 'damaged')
    throw new GrasshopperError('malformed', 'The file is damaged: it cannot be inflated', '')
}
