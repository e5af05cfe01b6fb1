import { constants } from 'node:buffer'
import { SaxesParser } from 'saxes'
import type { Archive } from '../tree/archive.ts'
import { Fault, type GrasshopperErrorCode, locate, printable } from '../tree/grasshopper-error.ts'
import { DEFAULT_LIMITS, type Limits } from '../tree/limits.ts'
import { XmlArchiveBuilder } from './xml-archive-builder.ts'

const PIECE_LENGTH = 64 * 1024
/** The most attributes of an element; an item has four: name, index, type_name and type_code. */
const MOST_ATTRIBUTES = 8
/** The record has no prototype: in the parser's own map `&constructor;` would be an entity. */
const ENTITIES: Record<string, string> = Object.assign(Object.create(null), {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
})

/**
 * Reads an archive from the text of a .ghx in UTF-8. Comments may stand anywhere.
 * Fails: `GrasshopperError`; `where` is a chunk path and a line.
 */
export function readXmlArchive(bytes: Uint8Array, limits: Partial<Limits> = {}): Archive {
  const { maxBytes, maxElements } = { ...DEFAULT_LIMITS, ...limits }
  const parser = new SaxesParser()
  const builder = new XmlArchiveBuilder(maxElements, () => parser.line)
  let attributeCount = 0
  let hasEnded = false

  parser.ENTITIES = ENTITIES
  parser.on('error', (error) => {
    const reason = printable(error.message.replace(/^\d+:\d+: /, ''))
    throw new Fault(hasEnded ? 'truncated' : 'malformed', `The XML is not well-formed: ${reason}`)
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^utf-?8$/i.test(encoding)) throw new Fault('malformed', 'The XML is not in UTF-8')
  })
  parser.on('doctype', () => {
    throw new Fault('not_an_archive', 'The XML declares a document type, which an archive never does')
  })
  parser.on('opentagstart', () => {
    attributeCount = 0
  })
  parser.on('attribute', () => {
    attributeCount += 1
    if (attributeCount > MOST_ATTRIBUTES) throw new Fault('malformed', 'An element has too many attributes')
  })
  parser.on('opentag', ({ name, attributes }) => builder.openElement(name, attributes))
  parser.on('text', (text) => builder.addText(text))
  parser.on('cdata', (text) => builder.addText(text))
  parser.on('closetag', () => builder.closeElement())

  try {
    // The XML may be a single text, and strings have a limit of their own.
    const mostBytes = Math.min(maxBytes, constants.MAX_STRING_LENGTH)
    if (bytes.length > mostBytes) throw new Fault('too_large', `The XML has more than ${mostBytes} bytes`)
    for (const piece of decode(bytes)) parser.write(piece)
    hasEnded = true
    parser.close()
    return builder.getArchive()
  } catch (error) {
    throw locate(error, builder.path.toString(), `line ${parser.line}`)
  }
}

/** Decodes in pieces, which stay small compared to the tree. */
function* decode(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let code: GrasshopperErrorCode = 'malformed'
  try {
    for (let start = 0; start < bytes.length; start += PIECE_LENGTH) {
      yield decoder.decode(bytes.subarray(start, start + PIECE_LENGTH), { stream: true })
    }
    code = 'truncated'
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? new Fault(code, 'The XML is not valid UTF-8') : error
  }
}
