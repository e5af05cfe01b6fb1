import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Document } from '@hocuspocus/server'
import type { UserId } from '@meadow/contract'
import { createDocumentSessions, type DocumentSessionsParts } from './document-sessions.ts'

test('[LIV-14] given a presence that arrives when its document has just been unloaded, then it is dropped, and no error', async (t) => {
  const { hocuspocus } = createDocumentSessions({} as DocumentSessionsParts)
  const document = new Document('doc_1111111111111111')
  t.after(() => document.destroy())
  const person = { userId: 'usr_1111111111111111' as UserId, name: 'ann' }
  // Hocuspocus puts a client of its own in front.
  const states = new Map<number, unknown>([
    [1, {}],
    [2, { cursor: { x: 1, y: 1 } }],
  ])
  const context = { socket: { person } }
  await hocuspocus.hooks('beforeHandleAwareness', { states, context, document } as never)
  assert.deepEqual([...states], [])
})
