import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LivePerson } from '@meadow/client/live'
import { createRestoreWatch } from './restore-watch.ts'

const VERSION = '2026-03-01T12:30:00.000Z'
const person = (clientId: number, name: string, at?: string): LivePerson => ({
  clientId,
  isMe: false,
  user: { id: `usr_${name}` as never, name },
  ...(at !== undefined && { restored: { versionAt: VERSION, at } }),
})

test('[WEB-246] given others in a document, when one restores a version, then the others are told once, and who comes later is not', () => {
  const read = createRestoreWatch()
  assert.equal(read([person(1, 'Ada')]), undefined)
  assert.equal(read([person(1, 'Ada'), person(2, 'Bo', '2026-03-02T10:00:00.000Z')]), undefined)
  assert.match(
    read([person(1, 'Ada', '2026-03-02T11:00:00.000Z'), person(2, 'Bo', '2026-03-02T10:00:00.000Z')]) ?? '',
    /^Ada restored the version of .*2026/,
  )
  const again = [person(1, 'Ada', '2026-03-02T11:00:00.000Z'), person(2, 'Bo', '2026-03-02T10:00:00.000Z')]
  assert.equal(read(again), undefined)
  // They are all gone while the connection is.
  assert.equal(read([]), undefined)
  assert.equal(read([person(1, 'Ada')]), undefined)
  assert.equal(read(again), undefined)
  assert.match(read([person(2, 'Bo', '2026-03-02T12:00:00.000Z')]) ?? '', /^Bo restored/)
})
