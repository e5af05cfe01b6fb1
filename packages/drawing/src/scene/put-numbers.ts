import type { SceneSpan } from '@meadow/contract/web'
import type { PutNumbers } from './port-builder.ts'

interface KnownNumbers {
  words: Uint32Array
  span: SceneSpan
}

/**
 * Creates a function that appends lists of numbers, and appends equal ones only once: many ports hold the same values
 * as another one.
 */
export function createPut(into: Uint8Array<ArrayBuffer>[]): PutNumbers {
  const known = new Map<number, KnownNumbers[]>()
  let offset = 0
  return ({ bytes, length }) => {
    const words = new Uint32Array(bytes.buffer, 0, length)
    const hash = hashWords(words)
    const candidates = known.get(hash) ?? []
    const before = candidates.find((candidate) => areEqual(candidate.words, words))
    if (before) return before.span
    const span = { offset, length }
    known.set(hash, [...candidates, { words, span }])
    into.push(bytes)
    offset += length
    return span
  }
}

/** Returns the FNV-1a hash of words instead of bytes. Source: IETF RFC 9923, section 2. */
function hashWords(words: Uint32Array): number {
  let hash = 0x811c9dc5
  for (const word of words) hash = Math.imul(hash ^ word, 0x01000193)
  return hash
}

function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i])
}
