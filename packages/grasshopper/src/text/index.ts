import { readArchive } from '../archive/read-archive.ts'
import { DEFAULT_LIMITS, type Limits } from '../archive/tree/limits.ts'
import { createNestedArchives } from './nested.ts'
import { LineSink, MAX_TEXT_DEPTH, writeTree } from './write-tree.ts'

/** The first words of a text, with the version of its rules. */
const FIRST_WORDS = 'meadow-text 1'

/**
 * The canonical text of a .gh, .ghx, .ghuser or .ghcluster file: a fact on each line, objects by their ids, and all bytes.
 * Fails: `GrasshopperError` of `readArchive`; `too_large` for a text above MAX_TEXT_LENGTH.
 */
export function toText(bytes: Uint8Array, limits: Partial<Limits> = {}): string {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  const sink = new LineSink()
  sink.push(0, FIRST_WORDS)
  writeTree(readArchive(bytes, bounds).root, sink, createNestedArchives(bounds, MAX_TEXT_DEPTH))
  return sink.toString()
}

/** Returns the text of `toText` for reading: bytes are only described. */
export function toReadingText(bytes: Uint8Array, limits: Partial<Limits> = {}): string {
  const sink = new LineSink()
  sink.push(0, `${FIRST_WORDS} reading  # bytes are described alone`)
  writeTree(readArchive(bytes, { ...DEFAULT_LIMITS, ...limits }).root, sink, undefined)
  return sink.toString()
}
