import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { startHousekeeping } from './housekeeping.ts'

const sqlite = DATABASES.find(({ name }) => name === 'sqlite')!

test('[PROC-3] given a chore that fails and one that runs until it is stopped, then the others are done and logged', async (t) => {
  const database = await sqlite.open(t)
  const logged: string[] = []
  const log = {
    info: ({ count }: { count: number }, text: string) => void logged.push(`${count}: ${text}`),
    error: ({ err }: { err: Error }, text: string) => void logged.push(`${err.message}: ${text}`),
  }
  const isAssigned = async () => true
  const started = Promise.withResolvers<void>()
  const stop = startHousekeeping({ database, log } as never, [
    { isAssigned, work: () => Promise.reject(new Error('no luck')), failed: 'it was not done' },
    { isAssigned, work: async () => 3, done: 'it was done', failed: '' },
    { isAssigned, work: async () => 0, done: 'there was nothing', failed: '' },
    { isAssigned: async () => false, work: async () => 1, done: 'another process does it', failed: '' },
    {
      isAssigned,
      work: async (_, signal) => {
        started.resolve()
        await new Promise((_, reject) => signal.addEventListener('abort', reject))
      },
      failed: 'it was stopped',
    },
  ])
  await started.promise
  await stop()
  assert.deepEqual(logged.sort(), ['3: it was done', 'no luck: it was not done'])
})
