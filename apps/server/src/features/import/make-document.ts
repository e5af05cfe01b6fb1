import { type Note, readDefinition } from '@meadow/grasshopper'
import type { GeometryMeasurer } from '@meadow/model'
import { ImportError } from './import-error.ts'
import { measureGeometry } from './measure-geometry.ts'

/** What a definition is as a document. */
export interface MadeDocument {
  /** The UTF-8 bytes of a `GraphContent` as JSON. */
  content: Uint8Array<ArrayBuffer>
  notes: Note[]
}

/** As large as the largest file that is read: whoever asks for the document gets all of it at once. */
const MAX_CONTENT_BYTES = 256 * 2 ** 20

/** Reads a definition. Throws a `GrasshopperError` or an {@link ImportError}. */
export async function makeDocument(bytes: Uint8Array, measurer: GeometryMeasurer): Promise<MadeDocument> {
  const { content, notes } = readDefinition(bytes)
  await measureGeometry(content, measurer)
  const json = encode(content)
  if (json.length > MAX_CONTENT_BYTES) throw new ImportError('its document would be larger than 256 MB')
  return { content: json, notes }
}

function encode(content: object): Uint8Array<ArrayBuffer> {
  try {
    return new TextEncoder().encode(JSON.stringify(content))
  } catch (error) {
    // Texts end at 512 MB in JavaScript.
    if (error instanceof RangeError && /string length/.test(error.message))
      throw new ImportError('its document would be larger than 256 MB')
    throw error
  }
}
