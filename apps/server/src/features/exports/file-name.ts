import type { ExportFormat } from '@meadow/contract'

/** What documents may be called after, and what the file is called otherwise. */
const EXTENSION = /\.(?:ghx?|3dm)$/i
const UNNAMED = 'Untitled'

/** What leads out of a folder, means something else to a terminal, or turns the letters after it around. */
const NOT_IN_NAMES = /[\p{Cc}/\\\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** As long as file systems take, in UTF-8. */
const MAX_BYTES = 255

/**
 * What the file of a document is called: the document's name with the extension of the format in place of one that it
 * may have. All letters stay but those that no file can have.
 */
export function toFileName(documentName: string, extension: ExportFormat): string {
  const clean = documentName.toWellFormed().replace(NOT_IN_NAMES, '_').trim()
  const stem = clean.replace(EXTENSION, '').replace(/[. ]+$/, '')
  return cut(/^\.*$/.test(stem) ? UNNAMED : stem, MAX_BYTES - extension.length) + extension
}

/** Whole characters, as people see them. */
function cut(text: string, maxBytes: number): string {
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
