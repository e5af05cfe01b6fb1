import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from './blobs.ts'

/** Measured: smaller ones cost more calls, larger ones more memory, and neither is faster. */
const PIECE_BYTES = 256 * 1024

/** Buffers to be used again: new ones are given memory page by page, and taken away by the garbage collector. */
const idle: Buffer[] = []
const MAX_IDLE = 16

const takeBuffer = () => idle.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES)
const giveBack = (buffer: Buffer) => {
  if (idle.length < MAX_IDLE) idle.push(buffer)
}

/**
 * Hands the bytes in a range of the file to `take`, in order. Of two buffers one is read into while the other is
 * taken, so memory stays the same whatever the size and however slow the taker, and no garbage is made: twice as fast
 * as a stream.
 */
export async function pourFile(
  file: FileHandle,
  { start, end }: ByteRange,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  let [reading, taken] = [takeBuffer(), takeBuffer()]
  let taking = Promise.resolve()
  for (let position = start; position <= end; ) {
    const read = file.read(reading, 0, Math.min(PIECE_BYTES, end + 1 - position), position)
    const [{ bytesRead }] = await Promise.all([read, taking])
    if (bytesRead === 0) throw new Error(`The file ends after ${position} bytes of ${end + 1}.`)
    taking = take(reading.subarray(0, bytesRead))
    position += bytesRead
    ;[reading, taken] = [taken, reading]
  }
  await taking
  // After a failure somebody may still have them.
  giveBack(reading)
  giveBack(taken)
}
