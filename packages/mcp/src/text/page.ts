import { createHash, type Hash } from 'node:crypto'
import { clip } from './show-value.ts'
import { estimateTokens } from './tokens.ts'

/**
 * The limit of a page in tokens as `estimateTokens` counts them. With it, a page has at most 8,000 tokens of any
 * tokenizer.
 */
const MAX_ESTIMATED_TOKENS = 6_800
/** The longest line in characters: a longer one is continued in the next line. A page has room for several. */
const MAX_LINE = 1_500

export interface PageLimits {
  /** The cursor that the page before has returned. Without it, the page is the first one. */
  cursor?: string | undefined
  /** The maximum size of the text in UTF-8. Without it, only the tokens count. */
  maxBytes?: number | undefined
}

export interface Page {
  text: string
  /** Absent on the last page. */
  cursor?: string
}

/** A cursor that cannot be used: its message is a sentence for the caller. */
export class CursorError extends Error {}

/**
 * Returns the lines that fit in one answer. A cursor has the number of lines before its page and their digest: it
 * continues where the page before it ended if those lines are still the same. Fails: `CursorError` when it is not a
 * cursor, or the lines have changed.
 */
export function cutPage(
  lines: Iterable<string>,
  { cursor, maxBytes = Number.POSITIVE_INFINITY }: PageLimits = {},
): Page {
  const rest = breakLines(lines)
  const digest = createHash('sha256')
  const before = cursor === undefined ? 0 : skipLines(rest, readCursor(cursor), digest)
  const page: string[] = []
  let tokens = 0
  let bytes = 0
  for (const line of rest) {
    tokens += estimateTokens(line) + 1
    bytes += Buffer.byteLength(line) + 1
    if (page.length > 0 && (tokens > MAX_ESTIMATED_TOKENS || bytes > maxBytes))
      return { text: page.join('\n'), cursor: writeCursor(before + page.length, digest) }
    page.push(line)
    digest.update(`${line}\n`)
  }
  if (cursor !== undefined && page.length === 0) throw new CursorError(CHANGED)
  return { text: page.join('\n') }
}

/** Skips the lines of the pages before, and returns their number. */
function skipLines(lines: Iterator<string>, cursor: Cursor, digest: Hash): number {
  for (let i = 0; i < cursor.lines; i++) digest.update(`${lines.next().value}\n`)
  if (showDigest(digest) !== cursor.digest) throw new CursorError(CHANGED)
  return cursor.lines
}

const CHANGED = 'What this cursor continues has changed since. Ask again without a cursor.'

/** Splits a text into lines. */
export const splitLines = (text: string): string[] => text.split(/\r\n|\r|\n/)

function* breakLines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) {
    let rest = line
    while (rest.length > MAX_LINE) {
      // One character less than the limit: the mark takes its place.
      const part = clip(rest, MAX_LINE)
      yield part
      rest = `…${rest.slice(part.length - 1)}`
    }
    yield rest
  }
}

const DIGEST_LENGTH = 8

const showDigest = (digest: Hash): string => digest.copy().digest('base64url').slice(0, DIGEST_LENGTH)

const writeCursor = (lines: number, digest: Hash): string => `${lines}-${showDigest(digest)}`

interface Cursor {
  lines: number
  digest: string
}

function readCursor(cursor: string): Cursor {
  const [, lines, digest] = /^(\d{1,7})-([\w-]{8})$/.exec(cursor) ?? []
  if (lines === undefined || digest === undefined)
    throw new CursorError('This is not a cursor: take the one at the end of the previous answer.')
  return { lines: Number(lines), digest }
}
