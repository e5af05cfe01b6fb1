import { crc32, deflateSync } from 'node:zlib'

type Rgb = readonly [red: number, green: number, blue: number]

/** The bytes of a PNG file with 8 bits per channel and no transparency. Source: RFC 2083. */
export function writePng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Rgb,
): Uint8Array<ArrayBuffer> {
  const bytesPerRow = 1 + 3 * width
  // Each row starts with its filter, 0 for none.
  const rows = Buffer.alloc(bytesPerRow * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * bytesPerRow + 1 + 3 * x)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits, red, green and blue.
  header.set([8, 2], 8)
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
