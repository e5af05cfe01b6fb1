import type { LiveJson } from '../read/live-reader.ts'
import { REFERENCE_TEXT } from './large-value.ts'

/**
 * The JSON text of a document's content, or of a part of it, with gaps where references to large values stand.
 * Inside a string of JSON text quotes are escaped, so what looks like a reference is one.
 */
export function cutReferences(text: string): LiveJson {
  const pieces: LiveJson[number][] = []
  let end = 0
  for (const { 0: found, 2: $blob, 3: bytes, index } of text.matchAll(REFERENCE_TEXT)) {
    pieces.push(text.slice(end, index), { $blob: $blob!, bytes: Number(bytes) })
    end = index + found.length
  }
  return [...pieces, text.slice(end)]
}
