import type { Gltf } from './gltf.ts'

const MAGIC = 0x46_54_6c_67
const VERSION = 2
const JSON_CHUNK = 0x4e_4f_53_4a
const BIN_CHUNK = 0x00_4e_49_42
const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const SPACE = 0x20

/**
 * Writes a GLB file: the JSON, and after it the numbers, if there are any. Source: glTF 2.0 specification, section 4.4.
 */
export function writeContainer(gltf: Gltf, numbers: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(gltf))
  const jsonBytes = (json.length + 3) & ~3
  const binBytes = numbers.reduce((total, { length }) => total + length, 0)
  const binChunk = binBytes > 0 ? CHUNK_HEADER_BYTES + binBytes : 0
  const bytes = new Uint8Array(HEADER_BYTES + CHUNK_HEADER_BYTES + jsonBytes + binChunk)
  const view = new DataView(bytes.buffer)
  const putHeader = (at: number, ...words: number[]) => {
    for (const [i, word] of words.entries()) view.setUint32(at + 4 * i, word, true)
  }
  putHeader(0, MAGIC, VERSION, bytes.length, jsonBytes, JSON_CHUNK)
  let at = HEADER_BYTES + CHUNK_HEADER_BYTES
  bytes.fill(SPACE, at + json.length, at + jsonBytes)
  bytes.set(json, at)
  if (binBytes === 0) return bytes
  at += jsonBytes
  putHeader(at, binBytes, BIN_CHUNK)
  at += CHUNK_HEADER_BYTES
  for (const part of numbers) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
