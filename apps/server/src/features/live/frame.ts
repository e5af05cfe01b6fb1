import { MessageType } from '@hocuspocus/server'
import { MAX_PRESENCE_BYTES } from '@meadow/contract'
import * as decoding from 'lib0/decoding'

/** A frame, as far as it is looked at here: the protocol of Hocuspocus around that of Yjs. */
export interface Frame {
  document: string
  /** `ask`: for what the sender does not have, everything perhaps; `answer`: to the same question of the server. */
  kind: 'auth' | 'awareness' | 'queryAwareness' | 'close' | 'ask' | 'answer' | 'update'
}

/** Of the document's name, which is an id. */
const MAX_NAME_LENGTH = 200

const SYNC_ASK = 0
const SYNC_ANSWER = 1
const SYNC_UPDATE = 2

const AUTH_TOKEN = 0

/** Reads a frame that a client sent. Throws when it is none, or one that clients have no reason to send. */
export function readFrame(bytes: Uint8Array): Frame {
  const decoder = decoding.createDecoder(bytes)
  const document = decoding.readVarString(decoder)
  if (document.length > MAX_NAME_LENGTH) throw new Error('name')
  const type = decoding.readVarUint(decoder)
  switch (type) {
    case MessageType.Sync:
    case MessageType.SyncReply:
      return { document, kind: readSync(decoder) }
    case MessageType.Awareness:
      checkAwareness(decoding.readVarUint8Array(decoder))
      return { document, kind: 'awareness' }
    case MessageType.Auth:
      if (decoding.readVarUint(decoder) !== AUTH_TOKEN) throw new Error('auth')
      decoding.readVarString(decoder)
      return { document, kind: 'auth' }
    case MessageType.QueryAwareness:
      return { document, kind: 'queryAwareness' }
    case MessageType.CLOSE:
      return { document, kind: 'close' }
  }
  throw new Error('type')
}

function readSync(decoder: decoding.Decoder): Frame['kind'] {
  const step = decoding.readVarUint(decoder)
  const payload = decoding.readVarUint8Array(decoder)
  if (step === SYNC_ASK) {
    checkStateVector(payload)
    return 'ask'
  }
  if (step === SYNC_ANSWER) return 'answer'
  if (step === SYNC_UPDATE) return 'update'
  throw new Error('step')
}

/** A list of clients, clocks and what each shows, as JSON that can be read and written. */
function checkAwareness(bytes: Uint8Array): void {
  if (bytes.length > 2 * MAX_PRESENCE_BYTES) throw new Error('size')
  const decoder = decoding.createDecoder(bytes)
  const count = decoding.readVarUint(decoder)
  for (let i = 0; i < count; i++) {
    decoding.readVarUint(decoder)
    decoding.readVarUint(decoder)
    JSON.stringify(JSON.parse(decoding.readVarString(decoder)))
  }
}

/** A list of clients and clocks, as long as it says and no longer. */
function checkStateVector(bytes: Uint8Array): void {
  const decoder = decoding.createDecoder(bytes)
  const count = decoding.readVarUint(decoder)
  for (let i = 0; i < count; i++) {
    decoding.readVarUint(decoder)
    decoding.readVarUint(decoder)
  }
  if (decoding.hasContent(decoder)) throw new Error('rest')
}
