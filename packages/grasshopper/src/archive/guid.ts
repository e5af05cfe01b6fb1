import type { Scalar } from './scalar.ts'

const TEXT = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i

/** 16 bytes in .NET's order: the first three groups little-endian, the last eight bytes as they are written. */
export const guid: Scalar<string> = {
  accepts: (value) => TEXT.test(value),
  read(reader) {
    const hex = swapGroups(reader.readHex(16))
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
  write(writer, value) {
    writer.writeHex(swapGroups(value.replaceAll('-', '')))
  },
  parse: (text) => (TEXT.test(text) ? text.toLowerCase() : undefined),
  format: (value) => value.toLowerCase(),
}

/** Turns the order as written into that of the bytes, and back. */
function swapGroups(hex: string): string {
  const pair = (at: number) => hex.slice(at, at + 2)
  return pair(6) + pair(4) + pair(2) + pair(0) + pair(10) + pair(8) + pair(14) + pair(12) + hex.slice(16)
}
