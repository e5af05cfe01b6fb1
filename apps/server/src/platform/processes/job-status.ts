import { readSync, writeSync } from 'node:fs'

/**
 * Where a job is and why its process ended it, in a small file that parent and child share. Unlike a message, it can be
 * read after the child was killed, and it is written while the child's event loop is blocked.
 *
 * Layout: one byte for the verdict, two for the length of the place (little endian), then the place in UTF-8.
 */
export const STATUS_BYTES = 1024
const LENGTH_AT = 1
const PLACE_AT = 3

/** Why the watchdog of a child ended it. */
export type Verdict = 'memory' | 'time'

const VERDICTS: readonly (Verdict | undefined)[] = [undefined, 'memory', 'time']

/** Puts a place into `bytes`; the end of a long one is cut off. Returns how many bytes are in use. */
export function putPlace(bytes: Buffer, place: string): number {
  const length = bytes.write(place, PLACE_AT)
  bytes.writeUInt16LE(length, LENGTH_AT)
  return PLACE_AT + length
}

export const writeVerdict = (fd: number, verdict: Verdict): void =>
  void writeSync(fd, Uint8Array.of(VERDICTS.indexOf(verdict)), 0, 1, 0)

/** An empty place without a verdict. */
export const clearStatus = (fd: number): void => void writeSync(fd, new Uint8Array(PLACE_AT), 0, PLACE_AT, 0)

export function readStatus(fd: number): { verdict: Verdict | undefined; place: string } {
  const bytes = Buffer.alloc(STATUS_BYTES)
  readSync(fd, bytes, 0, STATUS_BYTES, 0)
  const end = Math.min(PLACE_AT + bytes.readUInt16LE(LENGTH_AT), STATUS_BYTES)
  return { verdict: VERDICTS[bytes[0]!], place: bytes.toString('utf8', PLACE_AT, end) }
}
