import type { DataTree } from '@meadow/contract'

/** A reference to JSON text in the blob store. */
export interface LargeValue {
  /** SHA-256 of the text's UTF-8 bytes, in lower-case hex. */
  $blob: string
  /** The length of the text in UTF-8. */
  bytes: number
}

/** A tree whose branches are in the blob store. It has no branches here, so it is a valid tree for any reader. */
export type LargeTree = DataTree & LargeValue

const DIGEST = /^[0-9a-f]{64}$/

export function isLargeValue(value: unknown): value is LargeValue {
  return hasExactly(value, '$blob', 'bytes') && isReference(value)
}

export function isLargeTree(value: unknown): value is LargeTree {
  if (!hasExactly(value, 'branches', '$blob', 'bytes')) return false
  return Array.isArray(value.branches) && value.branches.length === 0 && isReference(value)
}

const isReference = ({ $blob, bytes }: Record<string, unknown>) =>
  typeof $blob === 'string' && DIGEST.test($blob) && Number.isSafeInteger(bytes) && (bytes as number) >= 0

/** Whether a value has exactly these members in this order, so that the JSON text of a reference has one form. */
function hasExactly(value: unknown, ...members: string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length === members.length && members.every((member, at) => keys[at] === member)
}

/** The JSON text of a reference, to a tree or to another value, anywhere in a document's JSON text. */
const REFERENCE_TEXT = /\{("branches":\[\],)?"\$blob":"([0-9a-f]{64})","bytes":(\d+)\}/g

/** A blob that a document refers to. */
export interface Reference {
  digest: string
  bytes: number
  /** Whether it replaces a data tree; otherwise it replaces a member of a node's state. */
  isTree: boolean
}

/** JSON text in pieces. A piece that is a large value stands for the text in its blob. */
export type LiveJson = readonly (string | LargeValue)[]

/** The references in a document's JSON text, or in a part of it. */
export function listReferences(text: string): Reference[] {
  if (!text.includes('"$blob":"')) return []
  return Array.from(text.matchAll(REFERENCE_TEXT), ([, branches, digest, bytes]) => ({
    digest: digest!,
    bytes: Number(bytes),
    isTree: branches !== undefined,
  }))
}

/**
 * Splits the JSON text of a document's content, or of a part of it, at its references to large values.
 * Quotes are escaped inside JSON strings, so any text that looks like a reference is one.
 */
export function cutReferences(text: string): LiveJson {
  const pieces: LiveJson[number][] = []
  let end = 0
  for (const { 0: found, 2: $blob, 3: bytes, index } of text.matchAll(REFERENCE_TEXT)) {
    pieces.push(text.slice(end, index), { $blob: $blob!, bytes: Number(bytes) })
    end = index + found.length
  }
  return [...pieces, text.slice(end)]
}
