import { constants, isUtf8 } from 'node:buffer'
import { hidesCharacters, quote } from './literal.ts'

/** Bytes on a line of base64: 76 characters, as in mails. */
const BYTES_ON_LINE = 57

/** The lines of bytes in base64, each after a colon. */
export function* formatBytes(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < buffer.length; at += BYTES_ON_LINE)
    yield `: ${buffer.toString('base64', at, at + BYTES_ON_LINE)}`
}

/** How the line ends of a text of several lines are written: most of them in one way, the others are marked. */
export type LineEnds = 'crlf' | 'lf'

/** The more frequent line end. */
export function findLineEnds(text: string): LineEnds {
  const breaks = text.split('\n').length - 1
  return (text.split('\r\n').length - 1) * 2 > breaks ? 'crlf' : 'lf'
}

/**
 * The lines of a text, each after a bar. `|r` and `|n` end otherwise than the others of the text. `|=` has the line as a
 * quoted text, where characters would be invisible.
 */
export function* formatLines(text: string, ends: LineEnds): Generator<string> {
  const lines = text.split('\n')
  for (const [at, whole] of lines.entries()) {
    const isLast = at === lines.length - 1
    const hasReturn = !isLast && whole.endsWith('\r')
    const line = hasReturn ? whole.slice(0, -1) : whole
    const mark = isLast || hasReturn === (ends === 'crlf') ? '' : hasReturn ? 'r' : 'n'
    if (hidesCharacters(line)) yield `|${mark}=${quote(line)}`
    else yield line === '' ? `|${mark}` : `|${mark} ${line}`
  }
}

/** The text in base64 that Rhino 8 stores a script as; undefined if it is something else, or not what encoding gives. */
export function decodeScript(packed: string): string | undefined {
  if (packed.length === 0 || packed.length % 4 !== 0 || packed.length > constants.MAX_STRING_LENGTH / 4)
    return undefined
  const bytes = Buffer.from(packed, 'base64')
  if (bytes.toString('base64') !== packed || !isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}

export const encodeScript = (text: string): string => Buffer.from(text).toString('base64')
