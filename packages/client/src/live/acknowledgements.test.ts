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

/** Returns whether it has resolved by now. */
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
  for (const sent of [ASK, PRESENCE, ANSWER]) acknowledgements.sends(sent)
  acknowledgements.received(SAVED)
  return acknowledgements
}

test('[LIV-3] given no edits, then there is nothing to wait for', async () => {
  assert.ok(await isSettled(createAcknowledgements().durable()))
})

test('[LIV-3] given edits, then each is durable after its own acknowledgement, in order, and no other message counts', async () => {
  const { edited, sends, received, durable } = connected()
  edited()
  sends(UPDATE)
  const first = durable()
  edited()
  sends(PRESENCE)
  sends(UPDATE)
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

test('[LIV-3] given edits without a connection, when there is one, then they wait for the answer that contains all of them', async () => {
  const { connected: connect, edited, sends, received, durable } = createAcknowledgements()
  for (let count = 0; count < 3; count++) edited()
  const all = durable()
  connect()
  const sent = [ASK, UPDATE, UPDATE, PRESENCE, ANSWER, UPDATE].map((one) => sends(one))
  assert.deepEqual(sent, [true, false, false, true, true, true])
  assert.equal(await isSettled(all), false)
  received(SAVED)
  assert.ok(await isSettled(all))
})

test('[LIV-3] given an edit in transit, when the connection breaks, then it is durable on the next one and not before', async () => {
  const { connected: connect, edited, sends, received, durable } = connected()
  edited()
  sends(UPDATE)
  const safe = durable()
  connect()
  sends(ASK)
  received(SAVED)
  assert.equal(await isSettled(safe), false)
  sends(ANSWER)
  received(SAVED)
  assert.ok(await isSettled(safe))
})

test('[LIV-4] given an edit that is rejected, then pending calls are rejected, and later ones do not wait for it', async () => {
  const { edited, sends, durable, fail } = connected()
  edited()
  sends(UPDATE)
  const safe = durable()
  fail(new Error('rejected'))
  await assert.rejects(safe, /rejected/)
  assert.ok(await isSettled(durable()))
})
