import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { toReadingText } from '@meadow/grasshopper/text'

/* The commands that git calls for each file. They load only what they need, and none of the other commands. */

/** The streams of the process. */
export interface DriverStreams {
  readonly stdout: Writable
  readonly stderr: Writable
}

export const DRIVERS = ['textconv', 'merge'] as const
export type Driver = (typeof DRIVERS)[number]

export const isDriver = (word: string | undefined): word is Driver => DRIVERS.includes(word as Driver)

/** Runs a command that git calls as `meadow git NAME ARGUMENTS`, and returns the exit code. */
export async function runDriver(
  driver: Driver,
  args: readonly string[],
  streams: DriverStreams,
): Promise<number> {
  const say = (text: string) => streams.stderr.write(`meadow: ${text}\n`)
  try {
    if (driver === 'textconv') await write(streams.stdout, describeFile(readFileSync(args[0] ?? '')))
    else {
      const [base = '', ours = '', theirs = '', path = ours] = args
      const { mergeFiles } = await import('./merge-files.ts')
      return await mergeFiles({ base, ours, theirs, path }, say)
    }
    return 0
  } catch (error) {
    say((error as Error).message)
    // An exit code above 128 would make git stop the whole merge.
    return 1
  }
}

/** Returns the text that git compares. A file that cannot be read is described, since git would stop at a failure. */
function describeFile(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  try {
    return toReadingText(bytes)
  } catch (error) {
    const digest = createHash('sha256').update(bytes).digest('hex')
    return `This is no definition that can be read: ${(error as Error).message}\n${bytes.length} bytes, sha256 ${digest}\n`
  }
}

const write = (stream: Writable, content: string): Promise<void> =>
  new Promise((resolve, reject) => stream.write(content, (error) => (error ? reject(error) : resolve())))
