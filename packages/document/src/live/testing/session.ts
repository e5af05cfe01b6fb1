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

/** Somebody who edits a document of a session. */
export interface Editor {
  doc: Y.Doc
  /** Edits; an operation that is not possible now is none. */
  edit(operation: (doc: Y.Doc, origin: unknown) => void): void
  undo(): void
  redo(): void
  /** Sends what was edited, the oldest first; as much of it as given. */
  send(count?: number): void
  /** Takes in what others sent. */
  receive(): void
  /** What was underway both ways is lost; then both sides tell each other what they lack. */
  reconnect(): void
  /** The same, while one more edit of this editor's gets through on another way after the server told what it has. */
  crossReconnect(): void
  /** The document as somebody reads it who read it before. */
  read(): string
}

export interface Session {
  editors: readonly Editor[]
  /** What the server has. */
  getDoc(): Y.Doc
  /** The server starts anew from what it stored. */
  restart(): void
  /** Everybody has everything. */
  settle(): void
}

/**
 * A server and those who edit a document through it, each message passed on when the test says so. The server checks
 * what it receives as a real one does; every edit here is honest, so it never refuses anything.
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
    assert.ok(!checked.rejected, `an honest edit is refused: ${JSON.stringify(checked)}`)
    for (const client of checked.newClients) owners.set(client, `editor ${from}`)
    Y.applyUpdate(server, update)
    assert.equal(hasPending(server), false, 'what was accepted is in the document')
    for (const [to, inbox] of inboxes.entries()) if (to !== from) inbox.push(update)
  }

  const createEditor = (place: number): Editor => {
    const doc = load(first)
    doc.clientID = 1_000 + place
    const origin = { editor: place }
    const undoManager = createUndoManager(doc, origin)
    const inbox: Uint8Array[] = []
    const outbox: Uint8Array[] = []
    inboxes.push(inbox)
    const reader: LiveProjector = openLiveProjector(doc)
    doc.on('update', (update: Uint8Array, from: unknown) => {
      if (from !== SERVER) outbox.push(update)
    })
    /** `told` is what the server said that it has. */
    const reconnect = (told: Uint8Array) => {
      inbox.length = 0
      outbox.length = 0
      accept(Y.encodeStateAsUpdate(doc, told), place)
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
        for (const update of outbox.splice(0, many)) accept(update, place)
      },
      receive() {
        for (const update of inbox.splice(0)) Y.applyUpdate(doc, update, SERVER)
      },
      reconnect: () => reconnect(Y.encodeStateVector(server)),
      crossReconnect() {
        const told = Y.encodeStateVector(server)
        for (const update of outbox.splice(0, 1)) accept(update, place)
        reconnect(told)
      },
      read() {
        const text = reader.readJson().join('')
        assert.equal(JSON.stringify(reader.read()), text)
        return text
      },
    }
  }
  const editors = Array.from({ length: count }, (_, place) => createEditor(place))

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
