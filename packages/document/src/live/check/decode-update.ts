import * as decoding from 'lib0/decoding'
import { RejectedUpdate } from './update-rejection.ts'

/** One item written by a Yjs client: `clock` counts what the client wrote before. */
export interface Id {
  client: number
  clock: number
}

/** A struct of an update. Without content, it was written and then deleted together with its parent. */
export interface Struct extends Id {
  /** How many clock values it covers. */
  length: number
  content: Content | undefined
  /** The item that it follows at the same location; undefined for the first one there. */
  origin: Id | undefined
  /** The parent, for the first item at its location. */
  parent: { root: string } | Id | undefined
  key: string | undefined
}

/** The content of a struct: deleted, an empty shared record, or texts, the last of which counts. */
export type Content = 'deleted' | 'record' | readonly string[]

export interface DecodedUpdate {
  /** The structs of each client, without gaps. */
  structs: ReadonlyMap<number, readonly Struct[]>
  deletions: readonly (Id & { length: number })[]
}

/** The limit of clocks: more than any client ever writes, and far below the limit of exact integers. */
const MAX_CLOCK = 2 ** 48

/** The limit of structs, because a struct takes far more memory than its few bytes in an update. */
const MAX_PIECES = 100_000
/** The limit of deletions. An editor sends all that it knows of each time it connects. */
const MAX_DELETIONS = 500_000

/** The low bits of a struct's first byte are the kind of content, the others three flags (Yjs update format, version 1). */
const CONTENT = 0b11111
const GC = 0
const DELETED = 1
const TYPE = 7
const ANY = 8
const HAS_KEY = 0b00100000
const HAS_RIGHT = 0b01000000
const HAS_ORIGIN = 0b10000000
/** The one shared type that live documents have. */
const MAP = 1
/** The type tag of a text among values of any type. */
const TEXT = 119

/**
 * Decodes the updates that live documents consist of, and no others: shared records that hold texts. Stricter than
 * Yjs: each client occurs once, and nothing follows the end. Throws a `RejectedUpdate`, or an error of lib0 if the
 * bytes end too early.
 */
export function decodeUpdate(update: Uint8Array): DecodedUpdate {
  const decoder = decoding.createDecoder(update)
  const spend = createBudget(MAX_PIECES)
  const structs = new Map<number, Struct[]>()
  for (let clients = decoding.readVarUint(decoder); clients > 0; clients--) {
    const count = decoding.readVarUint(decoder)
    const client = decoding.readVarUint(decoder)
    if (structs.has(client) || count === 0)
      throw new RejectedUpdate('malformed', 'a client stands there twice, or without a struct')
    structs.set(client, readStructs(decoder, client, count, spend))
  }
  const deletions = readDeletions(decoder)
  if (decoding.hasContent(decoder)) throw new RejectedUpdate('malformed', 'bytes after the end')
  return { structs, deletions }
}

function readStructs(decoder: decoding.Decoder, client: number, count: number, spend: Spend): Struct[] {
  const structs: Struct[] = []
  let clock = decoding.readVarUint(decoder)
  for (let read = 0; read < count; read++) {
    spend()
    const struct = readStruct(decoder, client, clock, spend)
    clock += struct.length
    if (struct.length === 0 || clock > MAX_CLOCK)
      throw new RejectedUpdate('malformed', 'a struct of no length, or of any')
    structs.push(struct)
  }
  return structs
}

function readStruct(decoder: decoding.Decoder, client: number, clock: number, spend: Spend): Struct {
  const info = decoding.readUint8(decoder)
  if (info === GC) {
    const length = decoding.readVarUint(decoder)
    return { client, clock, length, content: undefined, origin: undefined, parent: undefined, key: undefined }
  }
  if (info & HAS_RIGHT) throw new RejectedUpdate('malformed', 'something to the right of a property')
  const origin = info & HAS_ORIGIN ? readId(decoder) : undefined
  const parent = origin ? undefined : readParent(decoder)
  const key = !origin && info & HAS_KEY ? decoding.readVarString(decoder) : undefined
  const { content, length } = readContent(decoder, info & CONTENT, spend)
  return { client, clock, length, content, origin, parent, key }
}

const readId = (decoder: decoding.Decoder): Id => ({
  client: decoding.readVarUint(decoder),
  clock: decoding.readVarUint(decoder),
})

function readParent(decoder: decoding.Decoder): { root: string } | Id {
  return decoding.readVarUint(decoder) === 1 ? { root: decoding.readVarString(decoder) } : readId(decoder)
}

function readContent(
  decoder: decoding.Decoder,
  kind: number,
  spend: Spend,
): { content: Content; length: number } {
  if (kind === DELETED) return { content: 'deleted', length: decoding.readVarUint(decoder) }
  if (kind === TYPE && decoding.readVarUint(decoder) === MAP) return { content: 'record', length: 1 }
  if (kind !== ANY) throw new RejectedUpdate('not_valid', `content of kind ${kind}`)
  const length = decoding.readVarUint(decoder)
  const texts: string[] = []
  for (let read = 0; read < length; read++) {
    spend()
    if (decoding.readUint8(decoder) !== TEXT) throw new RejectedUpdate('not_valid', 'a value that is no text')
    texts.push(decoding.readVarString(decoder))
  }
  return { content: texts, length }
}

function readDeletions(decoder: decoding.Decoder): DecodedUpdate['deletions'] {
  const deletions: (Id & { length: number })[] = []
  const spend = createBudget(MAX_DELETIONS)
  for (let clients = decoding.readVarUint(decoder); clients > 0; clients--) {
    const client = decoding.readVarUint(decoder)
    for (let count = decoding.readVarUint(decoder); count > 0; count--) {
      spend()
      const clock = decoding.readVarUint(decoder)
      deletions.push({ client, clock, length: decoding.readVarUint(decoder) })
    }
  }
  return deletions
}

type Spend = () => void

function createBudget(left: number): Spend {
  return () => {
    if (left-- === 0) throw new RejectedUpdate('too_large', 'an update of too many pieces')
  }
}
