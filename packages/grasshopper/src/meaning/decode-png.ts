import { inflateZlib } from '@meadow/inflate'

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row; a pixel that cannot be seen is all 0. */
  rgba: Uint8Array
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Icons have 24 × 24 pixels. Larger pictures are compared by their bytes. */
const MAX_PIXELS = 1024 * 1024
/** Samples of a pixel, by colour type: grey, red-green-blue, palette, grey with alpha, red-green-blue with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * The pixels of a PNG file with eight bits a sample that is not interlaced; undefined for other files and damaged ones. What
 * changes how pixels are shown (gamma, profiles) is not looked at. Source: the PNG specification, third edition.
 */
export function decodePng(file: Uint8Array): Pixels | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return undefined
  const parts = listParts(bytes)
  const header = parts?.get('IHDR')?.[0]
  const data = parts?.get('IDAT')
  if (!parts || header?.length !== 13 || !data) return undefined
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, colourType, , , interlace] = header.subarray(8)
  const channels = CHANNELS[colourType ?? -1]
  if (depth !== 8 || interlace !== 0 || !channels || width * height > MAX_PIXELS) return undefined
  const rowLength = width * channels + 1
  const { bytes: rows } = inflateZlib(Buffer.concat(data), rowLength * height)
  if (rows.length !== rowLength * height || !unfilter(rows, rowLength, channels)) return undefined
  const palette = { colours: parts.get('PLTE')?.[0], alphas: parts.get('tRNS')?.[0] }
  return { width, height, rgba: toRgba(rows, rowLength, colourType as number, palette) }
}

/** The data of the file's parts, by name; undefined for a damaged file. */
function listParts(bytes: Buffer): Map<string, Buffer[]> | undefined {
  const parts = new Map<string, Buffer[]>()
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return undefined
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (at + 12 + length > bytes.length) return undefined
    const data = bytes.subarray(at + 8, at + 8 + length)
    parts.set(name, [...(parts.get(name) ?? []), data])
    if (name === 'IEND') break
    at += 12 + length
  }
  return parts
}

/** Undoes the filter of each row in place. False for a filter that does not exist. */
function unfilter(rows: Uint8Array, rowLength: number, step: number): boolean {
  for (let start = 0; start < rows.length; start += rowLength) {
    const filter = rows[start]!
    if (filter > 4) return false
    for (let i = 1; i < rowLength; i++) {
      const at = start + i
      const left = i > step ? rows[at - step]! : 0
      const up = start > 0 ? rows[at - rowLength]! : 0
      const corner = start > 0 && i > step ? rows[at - rowLength - step]! : 0
      rows[at] = rows[at]! + predict(filter, left, up, corner)
    }
  }
  return true
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter === 0) return 0
  const sum = left + up - corner
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

function toRgba(
  rows: Uint8Array,
  rowLength: number,
  colourType: number,
  { colours, alphas }: { colours: Buffer | undefined; alphas: Buffer | undefined },
): Uint8Array {
  const channels = CHANNELS[colourType]!
  const width = (rowLength - 1) / channels
  const rgba = new Uint8Array(4 * width * (rows.length / rowLength))
  for (let at = 0, out = 0; at < rows.length; at += rowLength) {
    for (let x = 0; x < width; x++, out += 4) {
      const [a = 0, b = 0, c = 0, d = 255] = rows.subarray(at + 1 + x * channels, at + 1 + (x + 1) * channels)
      const pixel =
        colourType === 3
          ? [...[0, 1, 2].map((i) => colours?.[3 * a + i] ?? 0), alphas?.[a] ?? 255]
          : channels < 3
            ? [a, a, a, channels === 2 ? b : 255]
            : [a, b, c, channels === 4 ? d : 255]
      if (pixel[3] !== 0) rgba.set(pixel, out)
    }
  }
  return rgba
}
