import { type Hocuspocus, OutgoingMessage } from '@hocuspocus/server'
import { LIVE_CLOSE } from '@meadow/contract'
import { APP_REFUSALS } from '@meadow/contract/web'
import { isPublicId } from '../../platform/public-ids.ts'
import { type Frame, readFrame } from './frame.ts'
import type { LiveSocket } from './live-socket.ts'
import { createMessageLimit } from './message-limit.ts'

/** Takes what arrives at a socket. */
export interface Receiver {
  receive(data: unknown): void
  close(event: { code: number; reason: string }): void
}

/** What Hocuspocus gives for a socket: its type is not among those that the package exports. */
type HocuspocusConnection = ReturnType<Hocuspocus['handleConnection']>

const NOT_READABLE = 'That message could not be read: the client is not one for this server.'
const TOO_MUCH = 'Too much was sent in a short time. Load the document again, and go on more slowly.'

/** Looks at each message before Hocuspocus does: what cannot be read, and what is too much, ends the connection. */
export function openReceiver(socket: LiveSocket, connection: HocuspocusConnection): Receiver {
  const limit = createMessageLimit()
  return {
    receive(data) {
      if (socket.isOver) return
      const frame = data instanceof Uint8Array ? findFrame(data) : undefined
      if (!frame) return socket.close(LIVE_CLOSE.refused, NOT_READABLE)
      const bytes = data as Uint8Array
      if (!limit.take({ bytes: bytes.length, isAsk: frame.kind === 'ask' }))
        return socket.close(LIVE_CLOSE.refused, TOO_MUCH)
      // Hocuspocus keeps documents in plain objects by their names, where some names are there already.
      if (isPublicId('doc', frame.document.split('\0')[0]!)) connection.handleMessage(bytes)
      else if (frame.kind === 'auth') socket.send(createDenial(frame.document))
    },
    close: (event) => connection.handleClose(event),
  }
}

const createDenial = (document: string): Uint8Array =>
  new OutgoingMessage(document).writePermissionDenied(APP_REFUSALS.document_not_found.sentence).toUint8Array()

function findFrame(bytes: Uint8Array): Frame | undefined {
  try {
    return readFrame(bytes)
  } catch {
    return undefined
  }
}
