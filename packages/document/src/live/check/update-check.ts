import * as Y from 'yjs'
import { listReferences, type Reference } from '../schema/large-value.ts'
import { CREATION_RECORD, FIRST_CLIENT, getRoots, isPropertyMap, type Roots } from '../schema/layout.ts'
import { LIVE_LIMITS, type LiveLimits } from '../schema/limits.ts'
import { type Additions, checkContent } from './check-content.ts'
import { type DecodedUpdate, decodeUpdate } from './decode-update.ts'
import { resolveUpdate } from './resolve-update.ts'
import { REJECTION_SENTENCES, RejectedUpdate, type UpdateRejectionCode } from './update-rejection.ts'

/** Why an update must not be logged, applied or broadcast. */
export interface UpdateRejection {
  code: UpdateRejectionCode
  /** A sentence for the person whose editor sent the update. */
  sentence: string
  /** The reason for the log, without any content of the update. */
  detail: string
}

/** An update that may be logged. */
export interface AcceptedUpdate {
  rejected?: undefined
  /** Yjs clients without an owner: they belong to the sender from now on, and are stored together with the update. */
  newClients: readonly number[]
  /** The blobs that it refers to. The caller decides whether the sender has access to them. */
  values: readonly Reference[]
}

export type Checked = AcceptedUpdate | { rejected: UpdateRejection }

export interface UpdateCheck {
  /**
   * Checks an update against the current document, before the update is used. Earlier accepted updates of the same
   * sender have to be applied already. The check changes nothing, and never throws for any update.
   */
  check(update: Uint8Array, owner: string): Checked
  close(): void
}

interface Options {
  /** The owner of each Yjs client that ever wrote into the document. Read at each check. */
  owners: ReadonlyMap<number, string>
  limits?: LiveLimits
}

/** How many Yjs clients one update may come from: an editor, and its earlier sessions without a connection. */
const MAX_CLIENTS = 8

/** Opens the check for the updates of one live document, once the document has its content. */
export function openUpdateCheck(doc: Y.Doc, { owners, limits = LIVE_LIMITS }: Options): UpdateCheck {
  const roots = getRoots(doc)
  let size: DocumentSize | undefined
  const grow = (update: Uint8Array) => {
    if (size) size.bytes += update.length
  }
  doc.on('update', grow)

  /** `size` is an upper bound. The document is measured only when that bound passes a limit. */
  const checkSize = (additions: Additions, bytes: number) => {
    const valueBytes = sumBytes(additions.values)
    const isTooMuch = (now: DocumentSize) =>
      (additions.nodes > 0 && now.nodes + additions.nodes > limits.nodes) ||
      (additions.wires > 0 && now.wires + additions.wires > limits.wires) ||
      (valueBytes > 0 && now.valueBytes + valueBytes > limits.valueBytes) ||
      now.bytes + bytes > limits.documentBytes
    size ??= measureDocument(roots)
    if (isTooMuch(size)) size = measureDocument(roots)
    if (isTooMuch(size)) throw new RejectedUpdate('too_large', 'a document that would be too large')
    size.nodes += additions.nodes
    size.wires += additions.wires
    size.valueBytes += valueBytes
  }

  const check = (update: Uint8Array, owner: string): AcceptedUpdate => {
    if (update.length > limits.updateBytes)
      throw new RejectedUpdate('too_large', 'an update that is too large')
    const decoded = decode(update)
    const newClients = listNewClients(doc, decoded, owners, owner)
    const additions = checkContent(resolveUpdate(doc, decoded), limits)
    checkSize(additions, update.length)
    return { newClients, values: additions.values }
  }

  return {
    check(update, owner) {
      try {
        return check(update, owner)
      } catch (error) {
        if (!(error instanceof RejectedUpdate)) throw error
        const { code, detail } = error
        return { rejected: { code, sentence: REJECTION_SENTENCES[code], detail } }
      }
    },
    close: () => doc.off('update', grow),
  }
}

function decode(update: Uint8Array): DecodedUpdate {
  try {
    return decodeUpdate(update)
  } catch (error) {
    if (error instanceof RejectedUpdate) throw error
    // lib0's errors for bytes that end too early and for invalid text.
    throw new RejectedUpdate('malformed', 'bytes that are no update')
  }
}

/** The Yjs clients without an owner. Throws if one belongs to another user. */
function listNewClients(
  doc: Y.Doc,
  { structs }: DecodedUpdate,
  owners: ReadonlyMap<number, string>,
  owner: string,
): number[] {
  if (structs.size > MAX_CLIENTS) throw new RejectedUpdate('malformed', 'an update of too many clients')
  return [...structs].flatMap(([client, written]) => {
    const state = Y.getState(doc.store, client)
    const last = written.at(-1)!
    if (last.clock + last.length <= state) return []
    const known = owners.get(client)
    const isFree = known === undefined && state === 0 && client !== FIRST_CLIENT
    if (known !== owner && !isFree) throw new RejectedUpdate('foreign_client', 'a client of somebody else')
    return isFree ? [client] : []
  })
}

/** The size of a live document. */
interface DocumentSize {
  /** Nodes and groups. */
  nodes: number
  wires: number
  /** Characters of all properties, keys included. */
  bytes: number
  /** Bytes of the blobs that it refers to. */
  valueBytes: number
}

/** This text occurs once for each wire in a node's creation record, and nowhere else in it. */
const SENDER = '"nodeInstanceId":'

/** Counts without parsing: a millisecond for thousands of nodes. */
function measureDocument({ nodes, groups }: Roots): DocumentSize {
  const size = { nodes: 0, wires: 0, bytes: 0, valueBytes: 0 }
  for (const properties of [...nodes.values(), ...groups.values()]) {
    if (!isPropertyMap(properties)) continue
    size.nodes++
    for (const [key, text] of properties) {
      size.bytes += key.length + text.length
      size.valueBytes += sumBytes(listReferences(text))
      if (key === CREATION_RECORD) size.wires += text.split(SENDER).length - 1
      else if (key.startsWith('wire[')) size.wires++
    }
  }
  return size
}

const sumBytes = (references: readonly Reference[]): number =>
  references.reduce((sum, { bytes }) => sum + bytes, 0)
