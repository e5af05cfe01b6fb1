import { deflateSync } from 'fflate'
import { writeInflatedArchive } from './forms/write-binary.ts'
import { writeXmlArchive } from './forms/write-xml.ts'
import type { Archive } from './tree/archive.ts'

/** `gh` is the binary form of .gh, .ghuser, .ghcluster and of a cluster's ClusterDocument, `ghx` the XML form. */
export type ArchiveForm = 'gh' | 'ghx'

/**
 * The bytes of a file for an archive.
 * Fails: `GrasshopperError` with `malformed` when a value does not fit its type (or, with `ghx`, XML),
 * `too_large` when chunks are nested too deep.
 */
export function writeArchive(archive: Archive, { form }: { form: ArchiveForm }): Uint8Array {
  return form === 'ghx' ? writeXmlArchive(archive) : deflateSync(writeInflatedArchive(archive))
}
