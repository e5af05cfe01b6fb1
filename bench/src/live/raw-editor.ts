import { once } from 'node:events'
import { setSlider } from '@meadow/document/live'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

/** A client that edits and reads only the acknowledgements: cheap enough to run hundreds in one process. */
export interface RawEditor {
  /** Resolves when the server has acknowledged the edit. */
  edit(value: number): Promise<void>
  close(): void
}

const SYNC = 0
const AUTH = 2
const SYNC_STATUS = 8
const UPDATE = 2

/** `state` is the current document, which this client does not request. */
export async function openRawEditor(
  address: string,
  cookie: string,
  documentId: string,
  slider: string,
  state: Uint8Array,
): Promise<RawEditor> {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  const socket = new WebSocket(`${address.replace('http', 'ws')}/live`, { headers: { cookie } } as never)
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
  const send = (...parts: (number | string | Uint8Array)[]) => {
    const encoder = encoding.createEncoder()
    encoding.writeVarString(encoder, documentId)
    for (const part of parts) {
      if (typeof part === 'number') encoding.writeVarUint(encoder, part)
      else if (typeof part === 'string') encoding.writeVarString(encoder, part)
      else encoding.writeVarUint8Array(encoder, part)
    }
    socket.send(encoding.toUint8Array(encoder))
  }
  send(AUTH, 0, '')
  await authenticated.promise
  doc.on('update', (update: Uint8Array) => send(SYNC, UPDATE, update))
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
