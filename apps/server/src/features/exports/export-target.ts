import type { ArchiveVersion, ExportFormat, ModelerVersion } from '@meadow/contract'

/** The kind of file to export. */
export type ExportTarget =
  | { format: '.gh'; modelerVersion: null; archiveVersion: null }
  | { format: '.3dm'; modelerVersion: ModelerVersion; archiveVersion: ArchiveVersion }

/** The newest archive that each version opens and that can be written (decision 0012). */
const ARCHIVES: Record<ModelerVersion, ArchiveVersion> = { 7: 7, 8: 8, 9: 8 }

const NEWEST: ModelerVersion = 9

export function toTarget(format: ExportFormat, modelerVersion: ModelerVersion = NEWEST): ExportTarget {
  return format === '.gh'
    ? { format, modelerVersion: null, archiveVersion: null }
    : { format, modelerVersion, archiveVersion: ARCHIVES[modelerVersion] }
}

export const MEDIA_TYPES: Record<ExportFormat, string> = {
  '.gh': 'application/octet-stream',
  '.3dm': 'model/vnd.3dm',
}

/** Extensions that a document's name may have, which that of the format replaces. */
const EXTENSION = /\.(?:ghx?|3dm)$/i
const UNNAMED = 'Untitled'

/** Path separators, control characters, and characters that reverse the direction of text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]+/gu

/** The limit of file systems, in UTF-8. */
const MAX_BYTES = 255

/** The document's name with the extension of the format. Characters stay unless they are unsafe in file names. */
export function toFileName(documentName: string, extension: ExportFormat): string {
  const safe = documentName.toWellFormed().replace(UNSAFE, '_').trim()
  const stem = safe.replace(EXTENSION, '').replace(/[. ]+$/, '')
  return truncate(/^\.*$/.test(stem) ? UNNAMED : stem, MAX_BYTES - extension.length) + extension
}

/** Cuts between grapheme clusters. */
function truncate(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let length = 0
  let bytes = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    length += segment.length
  }
  return text.slice(0, length)
}
