import { createHash } from 'node:crypto'

/** Drawn once at random; changing it changes every id of the demo team's graphs. */
const NAMESPACE = Buffer.from('6f0c7a1e94b84c0fa3f35d2be1a7c958', 'hex')

/** A UUID (version 5, RFC 9562) that is the same for the same words, so that every demo team has the same ids. */
export function stableId(...words: string[]): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(words.join('\n')).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
