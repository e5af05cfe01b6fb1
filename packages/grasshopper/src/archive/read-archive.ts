import { GrasshopperError } from '../grasshopper-error.ts'
import type { Archive } from './archive.ts'
import { inflate } from './inflate.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { readInflatedArchive } from './read-binary.ts'
import { readXmlArchive } from './read-xml.ts'
import type { ArchiveForm } from './write-archive.ts'

/**
 * Reads the bytes of a .gh, .ghx, .ghuser or .ghcluster file, or of a cluster's ClusterDocument, whatever their
 * name says. Byte arrays in the tree are copies, so `bytes` may be reused, and keeping one does not keep the rest.
 * Fails: `GrasshopperError` with `not_an_archive`, `truncated`, `malformed` or `too_large`.
 */
export function readArchive(bytes: Uint8Array, limits: Partial<Limits> = {}): Archive {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  if (bytes.length === 0) throw new GrasshopperError('not_an_archive', 'The file is empty', '')
  return isXml(bytes)
    ? readXmlArchive(bytes, bounds)
    : readInflatedArchive(inflate(bytes, bounds.maxBytes), bounds)
}

/** Which of the two forms an archive's bytes have. */
export function findForm(bytes: Uint8Array): ArchiveForm {
  return isXml(bytes) ? 'ghx' : 'gh'
}

/** `<?`, `<!` or `<A`, with a byte order mark or without. `<` alone can start deflated bytes too. */
function isXml(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 5)).toString('latin1')
  return /^(?:\xef\xbb\xbf)?<[?!A]/.test(start)
}
