import { once } from 'node:events'
import { LIVE_PATH } from '@meadow/contract'
import { setSlider } from '@meadow/document/live'
import { authFrame, updateFrame } from '@meadow/server/src/features/live/testing/raw-client.ts'
import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'

/** A client that edits and reads only the acknowledgements. It is cheap enough that hundreds run in one process. */
export interface RawEditor {
  /** Resolves when the server has acknowledged the edit. */
  edit(value: number): Promise<void>
  close(): void
}

const AUTH = 2
const SYNC_STATUS = 8

/** Opens a raw editor. `state` is the current document, which this client does not request. */
export async function openRawEditor(
  address: string,
  cookie: string,
  documentId: string,
  slider: string,
  state: Uint8Array,
): Promise<RawEditor> {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  const socket = new WebSocket(address.replace('http', 'ws') + LIVE_PATH, { headers: { cookie } } as never)
  socket.binaryType = 'arraybuffer'
  const pending: (() => void)[] = []
  const authenticated = Promise.withResolvers<void>()
  socket.addEventListener('message', ({ data }) => {
    const decoder = decoding.createDecoder(new Uint8Array(data as ArrayBuffer))
    decoding.readVarString(decoder)
    const type = decoding.readVarUint(decoder)
    if (type === AUTH) authenticated.resolve()
    else if (type === SYNC_STATUS) pending.shift()?.()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    if (code !== 1005) throw new Error(`An editor was closed: ${code} ${reason}`)
  })
  await once(socket, 'open')
  socket.send(authFrame(documentId) as never)
  await authenticated.promise
  doc.on('update', (update: Uint8Array) => socket.send(updateFrame(documentId, update) as never))
  return {
    edit(value) {
      const { promise, resolve } = Promise.withResolvers<void>()
      pending.push(resolve)
      setSlider(doc, slider, value)
      return promise
    },
    close: () => socket.close(),
  }
}
