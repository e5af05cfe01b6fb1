import { createHash } from 'node:crypto'

/** A random namespace, which never changes, because all derived ids would change. */
const NAMESPACE = Buffer.from('c1f0a4be0d7f4b6d9a0f3a6b5c2e8d17', 'hex')

/** Derives a UUID (version 5, RFC 9562): the same for the same words. */
export function stableGuid(...words: string[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(words)).digest()
  const bytes = hash.subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
