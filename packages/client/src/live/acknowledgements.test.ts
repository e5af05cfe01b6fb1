import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as encoding from 'lib0/encoding'
import { createAcknowledgements } from './acknowledgements.ts'

function message(...numbers: number[]): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, 'doc_0000000000000000')
  for (const number of numbers) encoding.writeVarUint(encoder, number)
  return encoding.toUint8Array(encoder)
}

const ASK = message(0, 0, 0)
const ANSWER = message(0, 1, 0)
const UPDATE = message(0, 2, 0)
const PRESENCE = message(1, 0)
const SAVED = message(8, 1)
const NOT_SAVED = message(8, 0)

/** Tells whether it has resolved by now. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const waiting = Symbol('waiting')
  const first = await Promise.race([
    promise.catch(() => {}),
    new Promise((resolve) => setImmediate(resolve, waiting)),
  ])
  return first !== waiting
}

/** On a socket that is connected and has answered what the server asked for. */
function connected() {
  const acknowledgements = createAcknowledgements()
  acknowledgements.connected()
  for (const sent of [ASK, PRESENCE, ANSWER]) acknowledgements.sent(sent)
  acknowledgements.received(SAVED)
  return acknowledgements
}

test('[LIV-3] given nothing that was edited, then there is nothing to wait for', async () => {
  assert.ok(await isSettled(createAcknowledgements().durable()))
})

test('[LIV-3] given edits, then each is safe with its own acknowledgement, in order, and no other message counts', async () => {
  const { edited, sent, received, durable } = connected()
  edited()
  sent(UPDATE)
  const first = durable()
  edited()
  sent(PRESENCE)
  sent(UPDATE)
  const second = durable()
  received(PRESENCE)
  received(UPDATE)
  received(NOT_SAVED)
  assert.equal(await isSettled(first), false)
  received(SAVED)
  assert.deepEqual([await isSettled(first), await isSettled(second)], [true, false])
  received(SAVED)
  assert.ok(await isSettled(second))
})

test('[LIV-3] given edits without a connection, which are sent twice then, when the first acknowledgements come, then they are not taken for that of the whole', async () => {
  const { connected: connect, edited, sent, received, durable } = createAcknowledgements()
  for (let count = 0; count < 3; count++) edited()
  const all = durable()
  connect()
  // What waited goes out as soon as it can, and again with all else, once the server has asked.
  for (const one of [ASK, UPDATE, UPDATE, UPDATE, ANSWER]) sent(one)
  for (let count = 0; count < 3; count++) {
    received(SAVED)
    assert.equal(await isSettled(all), false)
  }
  received(SAVED)
  assert.ok(await isSettled(all))
})

test('[LIV-3] given an edit on its way, when the connection breaks, then it is safe with the next one and not before', async () => {
  const { connected: connect, edited, sent, received, durable } = connected()
  edited()
  sent(UPDATE)
  const safe = durable()
  connect()
  sent(ASK)
  received(SAVED)
  assert.equal(await isSettled(safe), false)
  sent(ANSWER)
  received(SAVED)
  assert.ok(await isSettled(safe))
})

test('[LIV-4] given an edit that is refused, then whoever waits is told, and nobody waits for it later', async () => {
  const { edited, sent, durable, fail } = connected()
  edited()
  sent(UPDATE)
  const safe = durable()
  fail(new Error('refused'))
  await assert.rejects(safe, /refused/)
  assert.ok(await isSettled(durable()))
})
