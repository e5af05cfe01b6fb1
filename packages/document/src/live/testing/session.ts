import assert from 'node:assert/strict'
import type { GraphContent } from '@meadow/contract'
import * as Y from 'yjs'
import { hasChanges } from '../check/has-changes.ts'
import { openUpdateCheck } from '../check/update-check.ts'
import { encodeLiveDocument } from '../edit/create-live-document.ts'
import { LiveEditError } from '../edit/edit-error.ts'
import { createUndoManager } from '../edit/undo-manager.ts'
import { type LiveProjector, openLiveProjector } from '../projection/live-projector.ts'
import { hasPending, readText, reload } from './read-whole.ts'

/** An editor in a session. */
export interface Editor {
  doc: Y.Doc
  /** Makes an edit; one that is not possible now is skipped. */
  edit(operation: (doc: Y.Doc, origin: unknown) => void): void
  undo(): void
  redo(): void
  /** Sends the given number of edits, the oldest first. */
  send(count?: number): void
  /** Applies the updates of others. */
  receive(): void
  /** Messages in transit are lost; then both sides exchange what they lack. */
  reconnect(): void
  /** The same, but one more edit of this editor arrives after the server sent its state vector. */
  crossReconnect(): void
  /** The document, read by a projector that read it before. */
  read(): string
}

export interface Session {
  editors: readonly Editor[]
  /** The document of the server. */
  getDoc(): Y.Doc
  /** The server restarts from what it stored. */
  restart(): void
  /** Delivers all messages, so that all copies are equal. */
  settle(): void
}

/**
 * A server and its editors, with messages that the test delivers. The server checks updates like a real one;
 * all edits here are honest, so it never rejects one.
 */
export function openSession(content: GraphContent, count: number): Session {
  const first = encodeLiveDocument(content)
  const owners = new Map<number, string>()
  const inboxes: Uint8Array[][] = []
  let server = load(first)
  let check = openUpdateCheck(server, { owners })

  const accept = (update: Uint8Array, from: number) => {
    if (!hasChanges(server, update)) return
    const checked = check.check(update, `editor ${from}`)
    assert.ok(!checked.rejected, `an honest edit is rejected: ${JSON.stringify(checked)}`)
    for (const client of checked.newClients) owners.set(client, `editor ${from}`)
    Y.applyUpdate(server, update)
    assert.equal(hasPending(server), false, 'what was accepted is in the document')
    for (const [to, inbox] of inboxes.entries()) if (to !== from) inbox.push(update)
  }

  const createEditor = (index: number): Editor => {
    const doc = load(first)
    doc.clientID = 1_000 + index
    const origin = { editor: index }
    const undoManager = createUndoManager(doc, origin)
    const inbox: Uint8Array[] = []
    const outbox: Uint8Array[] = []
    inboxes.push(inbox)
    const reader: LiveProjector = openLiveProjector(doc)
    doc.on('update', (update: Uint8Array, from: unknown) => {
      if (from !== SERVER) outbox.push(update)
    })
    /** `state` is the state vector of the server. */
    const reconnect = (state: Uint8Array) => {
      inbox.length = 0
      outbox.length = 0
      accept(Y.encodeStateAsUpdate(doc, state), index)
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(server, Y.encodeStateVector(doc)), SERVER)
    }
    return {
      doc,
      edit(operation) {
        try {
          operation(doc, origin)
        } catch (error) {
          if (!(error instanceof LiveEditError)) throw error
        }
      },
      undo: () => void undoManager.undo(),
      redo: () => void undoManager.redo(),
      send(many = outbox.length) {
        for (const update of outbox.splice(0, many)) accept(update, index)
      },
      receive() {
        for (const update of inbox.splice(0)) Y.applyUpdate(doc, update, SERVER)
      },
      reconnect: () => reconnect(Y.encodeStateVector(server)),
      crossReconnect() {
        const state = Y.encodeStateVector(server)
        for (const update of outbox.splice(0, 1)) accept(update, index)
        reconnect(state)
      },
      read() {
        const text = reader.readJson().join('')
        assert.equal(JSON.stringify(reader.read()), text)
        return text
      },
    }
  }
  const editors = Array.from({ length: count }, (_, index) => createEditor(index))

  return {
    editors,
    getDoc: () => server,
    restart() {
      server = reload(server)
      check.close()
      check = openUpdateCheck(server, { owners })
    },
    settle() {
      for (const editor of [...editors, ...editors]) editor.reconnect()
      for (const editor of editors) assert.equal(editor.read(), readText(server))
    },
  }
}

const SERVER = Symbol('from the server')

function load(update: Uint8Array): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update, SERVER)
  return doc
}
