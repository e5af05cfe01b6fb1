/** In files the first three groups of a UUID are little-endian numbers; the last eight bytes are in order. */
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const

export function toUuidBytes(id: string): Buffer {
  const written = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.from(ORDER.map((point) => written[point]!))
}

/** Formats a UUID from the hex of its 16 bytes, in lower case with dashes. */
export function toUuid(hex: string): string {
  const byte = (index: number) => hex.slice(2 * index, 2 * index + 2)
  const groups = [byte(3) + byte(2) + byte(1) + byte(0), byte(5) + byte(4), byte(7) + byte(6)]
  return `${groups.join('-')}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
