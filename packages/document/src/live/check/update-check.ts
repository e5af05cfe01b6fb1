import * as Y from 'yjs'
import type { Reference } from '../large-values/large-value.ts'
import { FIRST_CLIENT, getRoots } from '../layout.ts'
import { LIVE_LIMITS, type LiveLimits } from '../limits.ts'
import { type Additions, checkContent } from './check-content.ts'
import { type DecodedUpdate, decodeUpdate } from './decode-update.ts'
import { type DocumentSize, measureDocument, sumBytes } from './measure-document.ts'
import { resolveUpdate } from './resolve-update.ts'
import { FAULT_SENTENCES, FaultyUpdate, type UpdateFault } from './update-fault.ts'

/** Why an update must not be logged, applied or passed on. */
export interface UpdateRejection {
  code: UpdateFault
  /** For the person whose editor sent it. */
  sentence: string
  /** For the log: what was wrong, without anything of what the update says. */
  detail: string
}

/** What there is to know of an update that may be logged. */
export interface AcceptedUpdate {
  refused?: undefined
  /** Yjs clients that nobody has yet: the sender's from now on, to be remembered together with the update. */
  newClients: readonly number[]
  /** What it refers to in the blob store: the caller knows whether the sender may. */
  values: readonly Reference[]
}

export type Checked = AcceptedUpdate | { refused: UpdateRejection }

export interface UpdateCheck {
  /**
   * Checks an update before anything is done with it, against the document as it is: whatever was accepted from the
   * same sender has to be in it already. It changes nothing, and throws for nothing that an update can say.
   */
  check(update: Uint8Array, owner: string): Checked
  close(): void
}

interface Options {
  /** Whose each Yjs client is that ever wrote into the document, now and at any time. */
  owners: ReadonlyMap<number, string>
  limits?: LiveLimits
}

/** So many Yjs clients an update can come from: an editor and what it edited earlier without a connection. */
const MAX_CLIENTS = 8

/** Checks the updates of one live document, from when its content is in it. */
export function openUpdateCheck(doc: Y.Doc, { owners, limits = LIVE_LIMITS }: Options): UpdateCheck {
  const roots = getRoots(doc)
  let size: DocumentSize | undefined
  const grow = (update: Uint8Array) => {
    if (size) size.bytes += update.length
  }
  doc.on('update', grow)

  /** The size is known from above: it is measured when it might be too much. */
  const checkSize = (additions: Additions, bytes: number) => {
    const valueBytes = sumBytes(additions.values)
    const isTooMuch = (now: DocumentSize) =>
      (additions.nodes > 0 && now.nodes + additions.nodes > limits.nodes) ||
      (additions.wires > 0 && now.wires + additions.wires > limits.wires) ||
      (valueBytes > 0 && now.valueBytes + valueBytes > limits.valueBytes) ||
      now.bytes + bytes > limits.documentBytes
    size ??= measureDocument(roots)
    if (isTooMuch(size)) size = measureDocument(roots)
    if (isTooMuch(size)) throw new FaultyUpdate('too_large', 'a document that would be too large')
    size.nodes += additions.nodes
    size.wires += additions.wires
    size.valueBytes += valueBytes
  }

  const check = (update: Uint8Array, owner: string): AcceptedUpdate => {
    if (update.length > limits.updateBytes) throw new FaultyUpdate('too_large', 'an update that is too large')
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
        if (!(error instanceof FaultyUpdate)) throw error
        const { fault, detail } = error
        return { refused: { code: fault, sentence: FAULT_SENTENCES[fault], detail } }
      }
    },
    close: () => doc.off('update', grow),
  }
}

function decode(update: Uint8Array): DecodedUpdate {
  try {
    return decodeUpdate(update)
  } catch (error) {
    if (error instanceof FaultyUpdate) throw error
    // Whatever lib0 says of bytes that end too early, or of text that is none.
    throw new FaultyUpdate('malformed', 'bytes that are no update')
  }
}

/** The Yjs clients that nobody has yet. Throws where one is another's. */
function listNewClients(
  doc: Y.Doc,
  { structs }: DecodedUpdate,
  owners: ReadonlyMap<number, string>,
  owner: string,
): number[] {
  if (structs.size > MAX_CLIENTS) throw new FaultyUpdate('malformed', 'an update of too many clients')
  return [...structs].flatMap(([client, written]) => {
    const state = Y.getState(doc.store, client)
    const last = written.at(-1)!
    if (last.clock + last.length <= state) return []
    const known = owners.get(client)
    const isFree = known === undefined && state === 0 && client !== FIRST_CLIENT
    if (known !== owner && !isFree) throw new FaultyUpdate('foreign_client', 'a client of somebody else')
    return isFree ? [client] : []
  })
}
