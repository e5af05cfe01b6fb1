import { crc32, deflateSync } from 'node:zlib'

/** Red, green and blue for each pixel, and with four channels alpha, in rows from the top. */
export interface Pixels {
  width: number
  height: number
  channels: 3 | 4
  bytes: Uint8Array
}

/** PNG's numbers for what a pixel has. */
const COLOUR_TYPES = { 3: 2, 4: 6 } as const
/** The filter of PNG that stores the difference from the pixel above: pictures with few colours become smallest. */
const UP = 2

/** The bytes of a PNG file with 8 bits per channel. Source: RFC 2083. */
export function writePng({ width, height, channels, bytes }: Pixels): Uint8Array<ArrayBuffer> {
  const length = channels * width
  const rows = Buffer.alloc((1 + length) * height)
  for (let y = 0; y < height; y++) {
    const to = y * (1 + length)
    rows[to] = UP
    for (let i = y * length, j = to + 1; i < (y + 1) * length; i++, j++)
      rows[j] = bytes[i]! - (y === 0 ? 0 : bytes[i - length]!)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, COLOUR_TYPES[channels]], 8)
  return Uint8Array.from(
    Buffer.concat([
      SIGNATURE,
      toChunk('IHDR', header),
      toChunk('IDAT', deflateSync(rows, { level: 6 })),
      toChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(4 + body.length + 4)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), 4 + body.length)
  return chunk
}
