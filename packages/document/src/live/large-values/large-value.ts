import type { DataTree } from '@meadow/contract'

/** What stands for JSON text that lies in the blob store. */
export interface LargeValue {
  /** SHA-256 of the text's UTF-8 bytes, in lower-case hex. */
  $blob: string
  /** How long the text is, in UTF-8. */
  bytes: number
}

/** A tree whose branches are elsewhere. It has none here, so that whoever knows nothing of it finds a valid tree. */
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

/** The members in this order, so that the JSON text of a reference has one form. */
function hasExactly(value: unknown, ...members: string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length === members.length && members.every((member, at) => keys[at] === member)
}

/** The JSON text of a reference, of a tree or of another value, wherever it stands in a document's JSON text. */
export const REFERENCE_TEXT = /\{("branches":\[\],)?"\$blob":"([0-9a-f]{64})","bytes":(\d+)\}/g

/** What a reference refers to. */
export interface Reference {
  digest: string
  bytes: number
  /** Whether it stands for a data tree; for anything else that a node keeps otherwise. */
  isTree: boolean
}

/** The references in a document's JSON text, or in a part of it. */
export function listReferences(text: string): Reference[] {
  if (!text.includes('"$blob":"')) return []
  return Array.from(text.matchAll(REFERENCE_TEXT), ([, branches, digest, bytes]) => ({
    digest: digest!,
    bytes: Number(bytes),
    isTree: branches !== undefined,
  }))
}
