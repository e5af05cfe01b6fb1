import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import fc from 'fast-check'
import type * as Y from 'yjs'
import { editGroup } from './edit/groups.ts'
import { moveNodes, renameNode } from './edit/nodes.ts'
import { editPort } from './edit/ports.ts'
import { setState, setValues } from './edit/values.ts'
import { readLiveDocument } from './projection/live-projector.ts'
import { operate } from './testing/random-operation.ts'
import { readText, readWhole } from './testing/read-whole.ts'
import { type Editor, openSession, type Session } from './testing/session.ts'
import { createTestContent, integer, into, own } from './testing/test-content.ts'

/** The next step, its editor, and the numbers that parametrise it. */
type Step = readonly [editor: number, what: number, choices: readonly number[]]

const steps = fc.array(
  fc.tuple(fc.nat(4), fc.nat(20), fc.array(fc.nat(1_000), { minLength: 6, maxLength: 6 })),
  { minLength: 1, maxLength: 80, size: 'max' },
)

/** What a step does, by its number. Messages are delivered only by steps, so editors are sometimes out of sync. */
const ACTIONS: readonly ((session: Session, editor: Editor, choices: readonly number[]) => void)[] = [
  (_, editor) => editor.send(),
  (_, editor) => editor.send(1),
  (_, editor) => editor.receive(),
  (_, editor) => editor.receive(),
  (_, editor) => editor.reconnect(),
  (_, editor) => editor.crossReconnect(),
  (session, _, [first]) => first! % 8 === 0 && session.restart(),
  (_, editor) => editor.undo(),
  (_, editor) => editor.undo(),
  (_, editor) => editor.redo(),
  (_, editor) =>
    assert.equal(editor.read(), readText(editor.doc), 'cached results of earlier reads are right'),
]

/** Any other number is an edit: every second step. */
function play(session: Session, [who, what, choices]: Step, number: number): void {
  const editor = session.editors[who % session.editors.length]!
  const action = ACTIONS[what]
  if (action) return void action(session, editor, choices)
  let taken = 0
  const choose = (limit: number) => (choices[taken++ % choices.length]! + taken) % limit
  editor.edit((doc, origin) => operate(doc, choose, origin, `x${number}`))
}

test('[LD-10, LD-13, LD-14, LD-41] given three to five users who edit, undo and redo, offline and online, then all read the same valid document', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 5 }), steps, (count, all) => {
      const session = openSession(createTestContent(), count)
      for (const [number, step] of all.entries()) play(session, step, number)
      session.settle()
      readWhole(session.getDoc())
    }),
    { numRuns: 80 },
  )
})

/** Facts that are edited by themselves, each read from a document and written into one. */
const FACTS: readonly {
  read(content: GraphContent): unknown
  write(doc: Y.Doc, token: number, origin: unknown): void
}[] = [
  ...['n1', 'n2', 's1', 'p1'].flatMap((id) => [
    {
      read: ({ nodes }: GraphContent) => nodes[id]!.nickName,
      write: (doc: Y.Doc, token: number, origin: unknown) => renameNode(doc, id, String(token), origin),
    },
    {
      read: ({ nodes }: GraphContent) => nodes[id]!.position.x,
      write: (doc: Y.Doc, token: number, origin: unknown) =>
        moveNodes(doc, { [id]: { x: token, y: 0 } }, origin),
    },
  ]),
  ...[into('n1', 'a'), into('n1', 'b'), into('n2', 'a'), own('s1')].map((port) => ({
    read: ({ nodes }: GraphContent) => nodes[port.nodeInstanceId]!.values[port.portInstanceId],
    write: (doc: Y.Doc, token: number, origin: unknown) => setValues(doc, port, integer(token), origin),
  })),
  ...[into('n1', 'a'), into('n1', 'b'), into('n2', 'a')].map((port) => ({
    read: ({ nodes }: GraphContent) => nodes[port.nodeInstanceId]!.ports[port.portInstanceId]!.nickName,
    write: (doc: Y.Doc, token: number, origin: unknown) =>
      editPort(doc, port, { nickName: String(token) }, origin),
  })),
  ...['minimum', 'maximum', 'more'].map((name) => ({
    read: ({ nodes }: GraphContent) => nodes.s1!.state![name],
    write: (doc: Y.Doc, token: number, origin: unknown) => setState(doc, 's1', { [name]: token }, origin),
  })),
  {
    read: ({ groups }) => groups[0]!.label,
    write: (doc, token, origin) => editGroup(doc, 'g1', { label: String(token) }, origin),
  },
]

test('[LD-2, LD-24] given edits of any properties at once, then each property has the value written last, and no copy has seen it overwritten', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const session = openSession(createTestContent(), 4)
      const written = new Map<number, string[]>()
      const overwritten = new Set<string>()
      const readFact = (property: number, doc: Y.Doc) =>
        JSON.stringify(FACTS[property]!.read(readLiveDocument(doc)))
      for (const [token, [who, what, choices]] of all.entries()) {
        if (what < 6) {
          play(session, [who, what, choices], token)
          continue
        }
        const property = choices[0]! % FACTS.length
        session.editors[who % 4]!.edit((doc, origin) => {
          overwritten.add(`${property} ${readFact(property, doc)}`)
          FACTS[property]!.write(doc, 1_000 + token, origin)
          written.set(property, [...(written.get(property) ?? []), readFact(property, doc)])
        })
      }
      session.settle()
      for (const [property, values] of written) {
        const value = readFact(property, session.getDoc())
        assert.ok(values.includes(value), `property ${property} is ${value}, which no editor wrote`)
        assert.ok(
          !overwritten.has(`${property} ${value}`),
          `property ${property} is ${value}, which was overwritten`,
        )
      }
    }),
    { numRuns: 60 },
  )
})
