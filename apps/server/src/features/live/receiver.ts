import { type Hocuspocus, OutgoingMessage } from '@hocuspocus/server'
import { LIVE_CLOSE } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import { isPublicId } from '../../platform/public-ids.ts'
import { createAskQueue } from './ask-queue.ts'
import { type Frame, readFrame } from './frame.ts'
import type { LiveSocket } from './live-socket.ts'
import type { MessageLimit } from './message-limit.ts'
import { createPresencePace } from './presence-pace.ts'

/** Takes what arrives at a socket. */
export interface Receiver {
  receive(data: unknown): void
  close(event: { code: number; reason: string }): void
}

/** What Hocuspocus gives for a socket: its type is not among those that the package exports. */
type HocuspocusConnection = ReturnType<Hocuspocus['handleConnection']>

const NOT_READABLE = 'That message could not be read: the client is not one for this server.'
const TOO_MUCH = 'Too much was sent in a short time. Load the document again, and go on more slowly.'

/**
 * Looks at each message before Hocuspocus does: what cannot be read, and what is too much, ends the connection.
 * `limits`: that of the socket, and that of all sockets of whoever this one is of.
 */
export function openReceiver(
  socket: LiveSocket,
  connection: HocuspocusConnection,
  limits: readonly MessageLimit[],
): Receiver {
  const presences = createPresencePace(pass)
  const asks = createAskQueue(socket, pass)

  function pass(bytes: Uint8Array): void {
    if (!socket.isOver) connection.handleMessage(bytes)
  }

  return {
    receive(data) {
      if (socket.isOver) return
      const frame = data instanceof Uint8Array ? findFrame(data) : undefined
      if (!frame) return socket.close(LIVE_CLOSE.refused, NOT_READABLE)
      const bytes = data as Uint8Array
      const { document, kind } = frame
      const cost = { bytes: bytes.length, isOfTheWhole: kind === 'ask' || kind === 'answer' }
      if (!limits.every((limit) => limit.take(cost))) return socket.close(LIVE_CLOSE.refused, TOO_MUCH)
      // Hocuspocus keeps documents in plain objects by their names, where some names are there already.
      if (!isPublicId('doc', document)) {
        if (kind === 'auth') socket.send(createDenial(document))
      } else if (kind === 'awareness') presences.show(document, bytes)
      else if (kind === 'ask') {
        socket.early.asked(document)
        asks.ask(document, bytes)
      } else {
        if (kind === 'close') for (const queue of [presences, asks]) queue.forget(document)
        pass(bytes)
      }
    },
    close(event) {
      presences.stop()
      asks.stop()
      connection.handleClose(event)
    },
  }
}

const createDenial = (document: string): Uint8Array =>
  new OutgoingMessage(document).writePermissionDenied(APP_ERRORS.document_not_found.sentence).toUint8Array()

function findFrame(bytes: Uint8Array): Frame | undefined {
  try {
    return readFrame(bytes)
  } catch {
    return undefined
  }
}
