import { writePng } from '@meadow/drawing/thumbnails'
import { inflateZlib } from '@meadow/inflate'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

/** The largest width and height of a preview, in pixels. */
const MAX_PREVIEW_SIDE = 640
/** The limit of pixels, far above the previews that Rhino stores, of at most a million pixels. */
const MAX_PIXELS = 2 ** 23

/** A device-independent bitmap of Windows, without its palette and pixels. */
interface BitmapHeader {
  width: number
  height: number
  isBottomUp: boolean
  bitsPerPixel: 24 | 32
  /** The size of a row in bytes, a multiple of four. */
  bytesPerRow: number
}

/**
 * The preview image in the properties of a file as a PNG file, scaled down by a whole number. Undefined for an empty one.
 * Source: `ON_WindowsBitmap::ReadCompressed` and `ON_WindowsBitmap::ReadUncompressed`.
 */
export function readPreview(body: ChunkReader, typeCode: number): Uint8Array<ArrayBuffer> | undefined {
  const header = readHeader(body)
  if (header.width === 0 || header.height === 0) return undefined
  const size = header.bytesPerRow * header.height
  const pixels = typeCode === TYPE.previewImage ? takeBytes(body, size) : readCompressed(body, size)
  const scale = Math.ceil(Math.max(header.width, header.height) / MAX_PREVIEW_SIDE)
  const width = Math.ceil(header.width / scale)
  const height = Math.ceil(header.height / scale)
  const bytes = new Uint8Array(3 * width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      bytes.set(averageColour(pixels, header, x * scale, y * scale, scale), 3 * (y * width + x))
  return writePng({ width, height, channels: 3, bytes })
}

function readHeader(body: ChunkReader): BitmapHeader {
  body.skip(4)
  const width = body.int32()
  const signedHeight = body.int32()
  const height = Math.abs(signedHeight)
  body.skip(2)
  const bitsPerPixel = body.view.getUint16(body.skip(2), true)
  const compression = body.int32()
  // Skips the size, the resolution and the colours.
  body.skip(4 + 8 + 8)
  if (width < 0 || width * height > MAX_PIXELS) throw new ModelFault('a preview that is too large')
  if ((bitsPerPixel !== 24 && bitsPerPixel !== 32) || compression !== 0)
    throw new ModelFault(`a preview of ${bitsPerPixel} bits per pixel`)
  const bytesPerRow = Math.ceil((width * bitsPerPixel) / 32) * 4
  return { width, height, isBottomUp: signedHeight > 0, bitsPerPixel, bytesPerRow }
}

const takeBytes = (body: ChunkReader, size: number): Uint8Array => {
  const start = body.skip(size)
  return body.bytes.subarray(start, start + size)
}

/** The number of bytes that Rhino 2 and 3 write after the pixels. */
const SURPLUS = 40

/** Source: `ON_BinaryArchive::ReadCompressedBuffer`. An empty palette may come first. */
function readCompressed(body: ChunkReader, size: number): Uint8Array {
  let length = body.uint32()
  if (length === 0) length = body.uint32()
  if (length !== size && length !== size + SURPLUS)
    throw new ModelFault(`a preview of ${length} bytes instead of ${size}`)
  // Skips a checksum.
  body.skip(4)
  if (body.byte() === 0) return takeBytes(body, size)
  const { bytes, at, remaining } = body.chunkOf(TYPE.anonymous).body
  const inflated = inflateZlib(bytes.subarray(at, at + remaining), length)
  if (inflated.bytes.length !== length) throw new ModelFault('a preview that is damaged')
  return inflated.bytes
}

/** The mean of a square of pixels as red, green and blue; less of it at the right and lower edges. */
function averageColour(
  pixels: Uint8Array,
  { width, height, isBottomUp, bitsPerPixel, bytesPerRow }: BitmapHeader,
  left: number,
  top: number,
  side: number,
): [red: number, green: number, blue: number] {
  let red = 0
  let green = 0
  let blue = 0
  const [right, bottom] = [Math.min(left + side, width), Math.min(top + side, height)]
  for (let y = top; y < bottom; y++) {
    const row = (isBottomUp ? height - 1 - y : y) * bytesPerRow
    for (let x = left; x < right; x++) {
      const at = row + x * (bitsPerPixel / 8)
      blue += pixels[at]!
      green += pixels[at + 1]!
      red += pixels[at + 2]!
    }
  }
  const count = (right - left) * (bottom - top)
  return [red / count, green / count, blue / count]
}
