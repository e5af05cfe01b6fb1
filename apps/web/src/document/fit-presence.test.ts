import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PRESENCE_BYTES } from '@meadow/contract'
import { fitPresence } from './fit-presence.ts'

test('[WEB-8] given thousands of selected and dragged nodes, when they are shown, then the server takes it', () => {
  const ids = Array.from({ length: 5000 }, () => crypto.randomUUID())
  const drag = Object.fromEntries(ids.map((id) => [id, { x: Math.random() * 1e5, y: -Math.random() * 1e5 }]))
  const shown = fitPresence({ cursor: { x: 1.26, y: 2.5 }, selection: ids, drag })
  assert.ok(JSON.stringify(shown).length < MAX_PRESENCE_BYTES)
  assert.deepEqual(shown.cursor, { x: 1, y: 3 })
})

test('[WEB-8] given what ended, when it is shown, then that is told and nothing else', () => {
  assert.deepEqual(fitPresence({ drag: null }), { drag: null })
  assert.deepEqual(fitPresence({ cursor: null }), { cursor: null })
  assert.deepEqual(fitPresence({ selection: [] }), { selection: [] })
})
