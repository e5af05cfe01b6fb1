import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SolveEvent } from '@meadow/contract'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, FEATURE_DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { createSolveStore } from '../solves/solves.store.ts'
import { failedIn, givenDocuments, TERMS } from '../solves/testing/given-solves.ts'
import { openSolveStatusWatch } from './solve-status.ts'

test('[LIV-13] given a client that has been told a status, when a solve is requested before the first poll, then it is notified', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { team, documents } = await givenDocuments(database, 9, [{}])
  const { key } = documents[0]!
  const { promise, resolve, reject } = Promise.withResolvers<SolveEvent>()
  const watch = openSolveStatusWatch({
    database,
    notify: (_document, event) => resolve(event),
    onError: reject,
  })
  atEnd(t, () => watch.close())
  watch.follow(key)
  assert.equal((await watch.announce(key)).state, 'never')
  await createSolveStore(database).request(team.key, [key])
  // The solve is the first status that a poll finds.
  assert.equal((await promise).state, 'queued')
})

test('[LIV-13] given two clients, when the second connects right after a solve was requested, then the first is notified too', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { team, documents } = await givenDocuments(database, 9, [{}])
  const { key } = documents[0]!
  const notified: string[] = []
  const watch = openSolveStatusWatch({
    database,
    notify: (_document, event) => notified.push(event.state),
    onError: assert.ifError,
  })
  atEnd(t, () => watch.close())
  watch.follow(key)
  await watch.announce(key)
  await createSolveStore(database).request(team.key, [key])
  assert.equal((await watch.announce(key)).state, 'queued')
  assert.deepEqual(notified, ['queued'])
})

for (const kind of FEATURE_DATABASES)
  test(`[LIV-13] given a client on ${kind.name}, when a solve is requested, begun and ended through another process, then it is notified each time`, {
    ...kind.options,
  }, async (t) => {
    const location = await kind.createLocation(t)
    const [database, elsewhere] = [await openDatabase(location), await openDatabase(location)]
    for (const one of [database, elsewhere]) atEnd(t, () => one.close())
    const { team, documents } = await givenDocuments(database, 9, [{}])
    const { key } = documents[0]!
    const notified: string[] = []
    const watch = openSolveStatusWatch({
      database,
      notify: (_document, event) => notified.push(event.state),
      onError: assert.ifError,
    })
    atEnd(t, () => watch.close())
    watch.follow(key)
    await watch.announce(key)
    const store = createSolveStore(elsewhere)
    const untilNotified = (state: string) => until(state, async () => notified.at(-1) === state)
    await store.request(team.key, [key])
    await untilNotified('queued')
    const lease = await store.lease(TERMS)
    await untilNotified('running')
    await store.complete(lease!, failedIn(1))
    await untilNotified('failed')
    assert.deepEqual(notified, ['queued', 'running', 'failed'])
  })
