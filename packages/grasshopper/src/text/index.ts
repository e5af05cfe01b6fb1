import { readArchive } from '../archive/read-archive.ts'
import type { Archive } from '../archive/tree/archive.ts'
import { Fault, GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { DEFAULT_LIMITS, type Limits } from '../archive/tree/limits.ts'
import type { ArchiveForm } from '../archive/write-archive.ts'
import { formatBytes, parseBytes } from './blocks.ts'
import {
  type Container,
  describeContainer,
  FIRST_WORD,
  findKept,
  formatContainer,
  readContainer,
  withoutKept,
  writeContainer,
} from './container.ts'
import { atLine, LineReader } from './lines.ts'
import { createNestedArchives } from './nested.ts'
import { readTree } from './read-tree.ts'
import { LineSink, MAX_TEXT_DEPTH, MAX_TEXT_LENGTH, writeTree } from './write-tree.ts'

/** A file that was made of a text. */
export interface RestoredFile {
  bytes: Uint8Array
  form: ArchiveForm
  archive: Archive
  /** Sentences about what of the text is not in the file, or about bytes that are not those of the original file. */
  notes: string[]
}

/** Whether the bytes are those of a canonical text, as their start shows. */
export const isText = (bytes: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?meadow-text /.test(Buffer.from(bytes.subarray(0, 16)).toString('latin1'))

/**
 * The canonical text of a .gh, .ghx, .ghuser or .ghcluster file: a fact on each line, objects by their ids. `fromText`
 * makes the same bytes of it. Fails: `GrasshopperError` of `readArchive`; `too_large` for a text above MAX_TEXT_LENGTH.
 */
export function toText(bytes: Uint8Array, limits: Partial<Limits> = {}): string {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  const archive = readArchive(bytes, bounds)
  const container = describeContainer(bytes, archive, bounds)
  return formatText(archive, container, bounds, findKept(bytes, container))
}

/**
 * The same text for reading, of a file or of its canonical text: bytes are only described, and nothing tells how the file
 * is compressed. It cannot become a file again.
 */
export function toReadingText(bytes: Uint8Array, limits: Partial<Limits> = {}): string {
  const sink = new LineSink()
  sink.push(0, `${FIRST_WORD} reading  # bytes are described alone: it cannot become a file again`)
  writeTree(openVersion(bytes, limits).archive.root, sink, undefined)
  return sink.toString()
}

function formatText(archive: Archive, container: Container, limits: Limits, kept?: Uint8Array): string {
  const sink = new LineSink()
  sink.push(0, formatContainer(container))
  writeTree(archive.root, sink, createNestedArchives(limits, MAX_TEXT_DEPTH))
  if (kept) {
    sink.push(0, `kept ${kept.length}  # the file as it was written, as long as the text is not changed`)
    for (const line of formatBytes(kept)) sink.push(1, line)
  }
  return sink.toString()
}

/** A file or a text, and how to write another archive in its way. */
export interface Version {
  archive: Archive
  write(archive: Archive): Uint8Array
}

/**
 * Opens a file or its canonical text, as the first bytes determine. Fails: `GrasshopperError`.
 */
export function openVersion(bytes: Uint8Array, limits: Partial<Limits> = {}): Version {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  if (isText(bytes)) {
    const { archive, container } = readText(bytes, bounds)
    const write = (other: Archive) => Buffer.from(formatText(other, withoutKept(container), bounds))
    return { archive, write }
  }
  const archive = readArchive(bytes, bounds)
  return {
    archive,
    write(other) {
      const container = withoutKept(describeContainer(bytes, archive, bounds))
      return writeContainer(other, container, undefined, bounds, [])
    },
  }
}

/**
 * The file of a text, which may have been changed or merged: as long as it is as `toText` made it, the same bytes.
 * Fails: `GrasshopperError` with the line, what is wrong there and what to do.
 */
export function fromText(text: string | Uint8Array, limits: Partial<Limits> = {}): RestoredFile {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  const { archive, container, kept, notes } = readText(text, bounds)
  const bytes = writeContainer(archive, container, kept, bounds, notes)
  return { bytes, form: container.form, archive, notes }
}

function readText(text: string | Uint8Array, limits: Limits) {
  const reader = new LineReader(decode(text))
  const line = reader.advance()
  if (line?.depth !== 0 || !line.text.startsWith(`${FIRST_WORD} `))
    throw new GrasshopperError(
      'not_an_archive',
      `This is no text of a definition: its first line does not start with ${FIRST_WORD}`,
      '',
    )
  const container = atLine(line, () => readContainer(line.text))
  const { root, notes } = readTree(reader, limits)
  const kept = reader.next && readKept(reader)
  return { archive: { root } satisfies Archive, container, kept, notes }
}

function decode(text: string | Uint8Array): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw new GrasshopperError('too_large', `The text has more than ${MAX_TEXT_LENGTH} characters`, '')
  if (typeof text === 'string') return text.replace(/^\ufeff/, '')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    throw new GrasshopperError('malformed', 'The text is not in UTF-8: save it in that encoding', '')
  }
}

/** The file itself at the end of the text. */
function readKept(reader: LineReader): Uint8Array<ArrayBuffer> | undefined {
  const line = reader.advance()!
  return atLine(line, () => {
    const length = /^kept (\d{1,10})(?: *#| *$)/.exec(line.text)?.[1]
    if (line.depth !== 0 || length === undefined)
      throw new Fault('malformed', 'This line follows the end of the archive: it belongs to nothing')
    const lines = reader.takeBlock(1, ':')
    if (reader.next)
      throw new Fault('malformed', `Line ${reader.next.number} follows the end of the text: remove it`)
    return parseKept(lines, Number(length))
  })
}

/** Damaged lines, for example of a merge, only mean that the file is compressed anew. */
function parseKept(lines: readonly string[], length: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    return parseBytes(lines, length)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
