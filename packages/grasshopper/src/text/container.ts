import { inflateRaw } from '@meadow/inflate'
import { deflateSync } from 'fflate'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { findForm, readArchive } from '../archive/read-archive.ts'
import type { Archive } from '../archive/tree/archive.ts'
import { Fault, GrasshopperError, printable } from '../archive/tree/grasshopper-error.ts'
import type { Limits } from '../archive/tree/limits.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { findPacking, PACKINGS, type Packing, packOrKeep } from './packing.ts'

/** How a file is made of its tree. `isKept`: so that only its own bytes, at the end of the text, tell. */
export type Container = { form: 'gh'; packing: Packing } | ({ form: 'ghx'; isKept: boolean } & XmlStyle)

interface XmlStyle {
  lineEnds: 'crlf' | 'lf'
  /** A byte order mark at the start. */
  hasMark: boolean
  /** A line end at the end. */
  hasEnd: boolean
}

/** The first words of a text. */
export const FIRST_WORD = 'meadow-text'
const VERSION = 1

/** How `bytes`, the file of an archive, were made of it. */
export function describeContainer(bytes: Uint8Array, archive: Archive, { maxBytes }: Limits): Container {
  if (findForm(bytes) === 'gh') {
    const inflated = writeInflatedArchive(archive)
    // The bits of a NaN can change on the way through the tree.
    const isSame = Buffer.from(inflateRaw(bytes, maxBytes).bytes).equals(inflated)
    return { form: 'gh', packing: isSame ? findPacking(bytes, inflated) : 'kept' }
  }
  const text = Buffer.from(bytes).toString('utf8')
  const style = {
    form: 'ghx',
    lineEnds: text.includes('\r\n') ? 'crlf' : 'lf',
    hasMark: text.startsWith('\ufeff'),
    hasEnd: text.endsWith('\n'),
  } as const
  return { ...style, isKept: !styleXml(archive, style).equals(bytes) }
}

/** The file of an archive. `kept`: the file that the text has at its end. Notes what keeps it from being the same. */
export function writeContainer(
  archive: Archive,
  container: Container,
  kept: Uint8Array<ArrayBuffer> | undefined,
  limits: Limits,
  notes: string[],
): Uint8Array {
  if (container.form === 'gh')
    return packOrKeep(writeInflatedArchive(archive), container.packing, kept, 'The text', notes)
  const file = kept && readKeptXml(kept, archive, limits)
  if (file) return file
  if (container.isKept)
    notes.push(
      'The text was changed, so that the XML is written anew: without its comments and in ordinary digits',
    )
  return new Uint8Array(styleXml(archive, container))
}

/** The bytes to keep at the end of a text; undefined if the text tells without them. */
export function findKept(bytes: Uint8Array, container: Container): Uint8Array | undefined {
  if (container.form === 'gh') return container.packing === 'kept' ? bytes : undefined
  return container.isKept ? deflateSync(bytes) : undefined
}

/** The same for another archive, whose bytes are nowhere to be kept. */
export const withoutKept = (container: Container): Container =>
  container.form === 'gh'
    ? { form: 'gh', packing: container.packing === 'kept' ? 'meadow' : container.packing }
    : { ...container, isKept: false }

/** The first line: `meadow-text 1 gh zlib`, `meadow-text 1 ghx crlf mark`. */
export function formatContainer(container: Container): string {
  if (container.form === 'gh') return `${FIRST_WORD} ${VERSION} gh ${container.packing}`
  const { lineEnds, hasMark, hasEnd, isKept } = container
  const words = [FIRST_WORD, VERSION, 'ghx', lineEnds, hasMark && 'mark', hasEnd && 'end', isKept && 'kept']
  return words.filter(Boolean).join(' ')
}

/** Reads the first line. Fails: `Fault`. */
export function readContainer(text: string): Container {
  const [, version, form, ...words] = text.replace(/ *#.*$/, '').split(/ +/)
  if (version === 'reading')
    throw new Fault(
      'malformed',
      'This text was made for reading and lacks bytes: make a whole one of the file',
    )
  if (version !== String(VERSION))
    throw new Fault(
      'malformed',
      `The text is of version "${printable(version ?? '')}", and this Meadow reads ${VERSION}: update it`,
    )
  if (form === 'gh') {
    const packing = (words[0] ?? 'meadow') as Packing
    if (words.length <= 1 && PACKINGS.includes(packing)) return { form, packing }
  }
  const unknown = words.find((word) => !['crlf', 'lf', 'mark', 'end', 'kept'].includes(word))
  if (form === 'ghx' && unknown === undefined) {
    const has = (word: string) => words.includes(word)
    return {
      form,
      lineEnds: has('lf') ? 'lf' : 'crlf',
      hasMark: has('mark'),
      hasEnd: has('end'),
      isKept: has('kept'),
    }
  }
  throw new Fault(
    'malformed',
    `The first line has to say how the file is written: ${FIRST_WORD} ${VERSION} gh zlib, or ${FIRST_WORD} ${VERSION} ghx crlf mark`,
  )
}

/** The XML as `writeArchive` has it, with the line ends and the byte order mark of a file. */
function styleXml(archive: Archive, { lineEnds, hasMark, hasEnd }: XmlStyle): Buffer {
  const written = Buffer.from(writeArchive(archive, { form: 'ghx' })).toString('utf8')
  const text = (hasMark ? written : written.slice(1)) + (hasEnd ? '\r\n' : '')
  return Buffer.from(lineEnds === 'crlf' ? text : text.replaceAll('\r\n', '\n'))
}

/** The kept file, if it still has this tree. */
function readKeptXml(kept: Uint8Array, archive: Archive, limits: Limits): Uint8Array | undefined {
  const { end, bytes } = inflateRaw(kept, limits.maxBytes)
  return end === 'whole' && isSameTree(bytes, archive, limits) ? bytes : undefined
}

function isSameTree(file: Uint8Array, archive: Archive, limits: Limits): boolean {
  try {
    return Buffer.from(writeInflatedArchive(readArchive(file, limits))).equals(writeInflatedArchive(archive))
  } catch (error) {
    if (error instanceof GrasshopperError) return false
    throw error
  }
}
