import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fromText, isText, toReadingText, toText } from '@meadow/grasshopper/text'

/*
 * What git calls for each file: only what it needs is loaded, and nothing of the other commands.
 */

/** The streams of the process. */
export interface DriverStreams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}

export const DRIVERS = ['textconv', 'clean', 'smudge', 'merge'] as const
export type Driver = (typeof DRIVERS)[number]

export const isDriver = (word: string | undefined): word is Driver => DRIVERS.includes(word as Driver)

/** Runs what git calls as `meadow git NAME ARGUMENTS`, and returns the exit code. */
export async function runDriver(
  driver: Driver,
  args: readonly string[],
  streams: DriverStreams,
): Promise<number> {
  const say = (text: string) => streams.stderr.write(`meadow: ${text}\n`)
  try {
    if (driver === 'textconv') await write(streams.stdout, describeFile(readFileSync(args[0] ?? '')))
    else if (driver === 'clean')
      await write(streams.stdout, cleanFile(await readAll(streams.stdin), args[0] ?? '', say))
    else if (driver === 'smudge')
      await write(streams.stdout, smudgeFile(await readAll(streams.stdin), args[0] ?? '', say))
    else {
      const [base = '', ours = '', theirs = '', path = ours] = args
      const { mergeFiles } = await import('./merge-files.ts')
      return await mergeFiles({ base, ours, theirs, path }, say)
    }
    return 0
  } catch (error) {
    say((error as Error).message)
    // Above 128 git would stop the whole merge.
    return 1
  }
}

/** The text that git compares. A file that cannot be read is described, since git would stop at a failure. */
function describeFile(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  try {
    return toReadingText(bytes)
  } catch (error) {
    const digest = createHash('sha256').update(bytes).digest('hex')
    return `This is no definition that can be read: ${(error as Error).message}\n${bytes.length} bytes, sha256 ${digest}\n`
  }
}

/** What git keeps of a file: its text, if that gives the same bytes back, and otherwise the file as it is. */
function cleanFile(bytes: Uint8Array, path: string, say: (text: string) => void): string | Uint8Array {
  if (bytes.length === 0 || isText(bytes)) return bytes
  try {
    const text = toText(bytes)
    if (Buffer.from(fromText(text).bytes).equals(bytes)) return text
    say(`"${path}" does not come back from its text byte by byte, and is kept as it is`)
  } catch (error) {
    say(`"${path}" is kept as it is: ${(error as Error).message}`)
  }
  return bytes
}

/** The file of what git keeps. */
function smudgeFile(bytes: Uint8Array, path: string, say: (text: string) => void): Uint8Array {
  if (!isText(bytes)) return bytes
  try {
    return fromText(bytes).bytes
  } catch (error) {
    say(`"${path}" stays a text, since no file can be made of it: ${(error as Error).message}`)
    return bytes
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const write = (stream: Writable, content: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => stream.write(content, (error) => (error ? reject(error) : resolve())))
