import * as Y from 'yjs'
import { type DecodedUpdate, decodeUpdate } from './decode-update.ts'

/**
 * Whether an update holds anything that a live document lacks. Each time editors connect they send what the document
 * has already, and all deletions that they know of. An update that cannot be decoded counts as a change.
 */
export function hasChanges(doc: Y.Doc, update: Uint8Array): boolean {
  const decoded = tryDecode(update)
  if (!decoded) return true
  for (const [client, structs] of decoded.structs) {
    const last = structs.at(-1)!
    if (last.clock + last.length > Y.getState(doc.store, client)) return true
  }
  return decoded.deletions.some(
    ({ client, clock, length }) => !areDeleted(doc, client, clock, clock + length),
  )
}

function tryDecode(update: Uint8Array): DecodedUpdate | undefined {
  try {
    return decodeUpdate(update)
  } catch {
    return undefined
  }
}

function areDeleted({ store }: Y.Doc, client: number, start: number, end: number): boolean {
  if (end > Y.getState(store, client)) return false
  const structs = store.clients.get(client) ?? []
  for (let at = start < end ? Y.findIndexSS(structs, start) : structs.length; at < structs.length; at++) {
    const struct = structs[at]!
    if (struct.id.clock >= end) return true
    if (!struct.deleted) return false
  }
  return true
}
