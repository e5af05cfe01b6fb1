import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as Y from 'yjs'
import { createLiveDocument } from '../edit/create-live-document.ts'
import { LiveEditError } from '../edit/edit-error.ts'
import { createUndoManager } from '../edit/undo-manager.ts'
import { CREATION_RECORD, FIRST_CLIENT } from '../schema/layout.ts'
import { encodeUpdate } from '../testing/encode-update.ts'
import { operate } from '../testing/random-operation.ts'
import { hasPending, readWhole, reload } from '../testing/read-whole.ts'
import { createSlider, createTestContent } from '../testing/test-content.ts'
import { decodeUpdate, type Id, type Struct } from './decode-update.ts'
import { openUpdateCheck } from './update-check.ts'
import { REJECTION_SENTENCES } from './update-rejection.ts'

const EDITOR = 1_000
const VICTIM = 2_000

/** Honest updates of all kinds, each with the document that it is for. The same ones each time. */
function listHonest(): { before: Uint8Array; update: Uint8Array }[] {
  const server = createLiveDocument(createTestContent())
  const victim = reload(server)
  victim.clientID = VICTIM
  const editor = reload(server)
  editor.clientID = EDITOR
  const undo = createUndoManager(editor, 'editor')
  const honest: { before: Uint8Array; update: Uint8Array }[] = []
  let seed = 1
  const choose = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  for (let number = 0; number < 150; number++) {
    const doc = number % 5 === 0 ? victim : editor
    const before = Y.encodeStateVector(doc)
    try {
      if (number % 7 === 3) undo.undo()
      else operate(doc, choose, 'editor', `x${number}`)
    } catch (error) {
      if (!(error instanceof LiveEditError)) throw error
    }
    const update = Y.encodeStateAsUpdate(doc, before)
    if (doc === editor) honest.push({ before: Y.encodeStateAsUpdate(server), update })
    Y.applyUpdate(server, update)
    Y.applyUpdate(doc === editor ? victim : editor, update)
  }
  return honest
}

/** A modification of bytes by an attacker: flip a bit, remove, insert, repeat. */
type Damage = readonly [kind: number, at: number, value: number]

function damage(bytes: Uint8Array, [kind, at, value]: Damage): Uint8Array {
  const position = at % Math.max(1, bytes.length)
  const [head, tail] = [bytes.subarray(0, position), bytes.subarray(position)]
  switch (kind) {
    case 0:
      return bytes.map((byte, index) => (index === position ? byte ^ (1 << (value % 8)) : byte))
    case 1:
      return bytes.map((byte, index) => (index === position ? value : byte))
    case 2:
      return Uint8Array.of(...head, ...tail.subarray(value % 20))
    case 3:
      return Uint8Array.of(...head, value, ...tail)
    case 4:
      return Uint8Array.of(...head, ...tail.subarray(0, value % 40), ...tail)
    default:
      return head
  }
}

test('[LD-42] given updates with any damage, when checked, then rejected with a code, or leave a valid document', () => {
  const honest = listHonest()
  const owners = new Map([
    [EDITOR, 'me'],
    [VICTIM, 'victim'],
  ])
  let accepted = 0
  fc.assert(
    fc.property(
      fc.nat(honest.length - 1),
      fc.array(fc.tuple(fc.nat(5), fc.nat(5_000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (which, damages) => {
        const { before, update } = honest[which]!
        const server = new Y.Doc()
        Y.applyUpdate(server, before)
        const state = Y.encodeStateAsUpdate(server)
        const { check, close } = openUpdateCheck(server, { owners })
        const checked = check(damages.reduce(damage, update), 'me')
        close()
        assert.deepEqual(Y.encodeStateAsUpdate(server), state)
        if (checked.rejected) return assert.ok(Object.hasOwn(REJECTION_SENTENCES, checked.rejected.code))
        accepted++
        const written = Y.getState(server.store, VICTIM)
        Y.applyUpdate(server, damages.reduce(damage, update))
        assert.equal(hasPending(server), false)
        assert.equal(
          Y.getState(server.store, VICTIM),
          written,
          'nothing is written in the name of another client',
        )
        readWhole(server)
      },
    ),
    // A removal of no byte.
    { numRuns: 1_500, examples: [[0, [[2, 0, 0]]]] },
  )
  assert.ok(accepted > 0, 'some damage is harmless')
})

test('[LD-41] given each of those updates without damage, when checked, then accepted', () => {
  for (const { before, update } of listHonest()) {
    const server = new Y.Doc()
    Y.applyUpdate(server, before)
    const { check } = openUpdateCheck(server, { owners: new Map([[EDITOR, 'me']]) })
    assert.equal(check(update, 'me').rejected, undefined)
  }
})

const client = fc.constantFrom(FIRST_CLIENT, EDITOR, VICTIM)
const id: fc.Arbitrary<Id> = fc.record({ client, clock: fc.nat(40) }, { noNullPrototype: true })
const key = fc.constantFrom(
  'n1',
  's1',
  'x',
  CREATION_RECORD,
  'nickName',
  'position',
  'value["s1"]',
  'inputs["s1","s1"]',
)
const text = fc.constantFrom('"name"', '{"x":1,"y":2}', 'null', 'true', JSON.stringify(createSlider('x')))
const piece = fc.record(
  {
    content: fc.oneof(
      fc.array(text, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('deleted' as const, 'record' as const, undefined),
    ),
    length: fc.integer({ min: 1, max: 3 }),
    origin: fc.option(id, { nil: undefined }),
    parent: fc.oneof(
      id,
      fc.constantFrom('nodes', 'groups', 'pins', 'other').map((root) => ({ root })),
    ),
    key: fc.option(key, { nil: undefined, freq: 10 }),
  },
  { noNullPrototype: true },
)

/** Structs that an attacker invents, consecutive from the actual state of an editor. */
function makeUp(pieces: readonly Omit<Struct, keyof Id>[], start: number): readonly Struct[] {
  let clock = start
  return pieces.map((made) => {
    const { content } = made
    const length = Array.isArray(content) ? content.length : content === 'record' ? 1 : made.length
    const struct = { ...made, length, client: EDITOR, clock }
    clock += length
    return struct
  })
}

test('[LD-42] given forged updates, when accepted, then Yjs integrates them without waiting, and leaves a valid document', () => {
  const honest = listHonest()
  const owners = new Map([[EDITOR, 'me']])
  let [tried, accepted] = [0, 0]
  fc.assert(
    fc.property(
      fc.nat(honest.length - 1),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: -2, max: 1 }),
      fc.array(fc.tuple(id, fc.integer({ min: 1, max: 3 })), { maxLength: 2 }),
      (which, pieces, shift, removed) => {
        const server = new Y.Doc()
        Y.applyUpdate(server, honest[which]!.before)
        tried++
        const start = Math.max(0, Y.getState(server.store, EDITOR) + shift)
        const deletions = removed.map(([at, length]) => ({ ...at, length }))
        const update = encodeUpdate({ structs: new Map([[EDITOR, makeUp(pieces, start)]]), deletions })
        const { check, close } = openUpdateCheck(server, { owners })
        const checked = check(update, 'me')
        close()
        if (checked.rejected) return
        accepted++
        Y.applyUpdate(server, update)
        assert.equal(hasPending(server), false)
        readWhole(server)
      },
    ),
    { numRuns: 3_000 },
  )
  assert.ok(accepted > tried / 200, `${accepted} of ${tried} are good enough to be accepted`)
})

test('[LD-40] given honest updates, when decoded, then the result agrees with Yjs', () => {
  for (const { update } of listHonest()) {
    const { structs, ds } = Y.decodeUpdate(update)
    const decoded = decodeUpdate(update)
    assert.deepEqual(
      [...decoded.structs.values()].flat().map(({ client, clock, length }) => [client, clock, length]),
      structs.map(({ id: { client, clock }, length }) => [client, clock, length]),
    )
    assert.deepEqual(
      decoded.deletions,
      [...ds.clients].flatMap(([client, ranges]) =>
        ranges.map(({ clock, len }) => ({ client, clock, length: len })),
      ),
    )
  }
})
