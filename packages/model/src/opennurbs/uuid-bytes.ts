/** In files the first three groups of a UUID are little-endian numbers; the last eight bytes are in order. */
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const

export function toUuidBytes(id: string): Buffer {
  const written = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.from(ORDER.map((point) => written[point]!))
}

/** Formats the UUID in the 16 bytes from `at` on, in lower case with dashes. */
export function toUuid(bytes: Uint8Array, at: number): string {
  const hex = (i: number) => HEX[bytes[at + i]!]!
  const groups = `${hex(3)}${hex(2)}${hex(1)}${hex(0)}-${hex(5)}${hex(4)}-${hex(7)}${hex(6)}-${hex(8)}${hex(9)}`
  return `${groups}-${hex(10)}${hex(11)}${hex(12)}${hex(13)}${hex(14)}${hex(15)}`
}

/** The two digits of each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
