import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openQueue } from '../../platform/queue.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import type { DefinitionRequest } from './make-file.ts'
import { givenExports, NEVER_ABORTED } from './testing/given-maker.ts'

/** A promise for the test to resolve. */
const gate = () => Promise.withResolvers<void>()

for (const kind of FEATURE_DATABASES) {
  describe(`making exports on ${kind.name}`, kind.options, () => {
    test('[EXP-8] given two processes with many concurrent requests for one file, then it is made once', async (t) => {
      const { solved, requestFor, openMaker, makeAnything, readFiles } = await givenExports(
        t,
        await kind.open(t),
      )
      const requested = requestFor(await solved())
      const both = [openMaker(makeAnything), openMaker(makeAnything)]
      const files = await Promise.all(
        both.flatMap(({ maker }) => Array.from({ length: 10 }, () => maker.get(requested, NEVER_ABORTED))),
      )
      assert.equal(new Set(files.map(({ digest }) => digest)).size, 1)
      assert.equal(both[0]!.requests.length + both[1]!.requests.length, 1)
      assert.equal((await readFiles()).length, 1)
    })

    test('[EXP-8] given a process that died while it made a file, then another one takes over when the lease expires', async (t) => {
      const database = await kind.open(t)
      const { solved, requestFor, openMaker, makeAnything, store, readFiles } = await givenExports(
        t,
        database,
      )
      const requested = requestFor(await solved())
      const before = openMaker(makeAnything)
      const { source } = await before.maker.get(requested, NEVER_ABORTED)
      const [{ made_of: cacheKey, id } = never()] = await readFiles()
      await store.delete(id)
      const made = { cacheKey, document: source.document, seq: null, solve: source.solution!.key }
      const dead = await store.lease(made)
      assert.equal(await openQueue(database, 'export_file', { leaseMs: 200 }).renew(dead!), true)
      assert.equal(await before.maker.find(requested), undefined)
      const { maker, requests } = openMaker(makeAnything)
      const file = await maker.get(requested, NEVER_ABORTED)
      assert.equal(requests.length, 1)
      // If the first process is alive after all, its result is discarded.
      assert.equal(await store.complete(dead!, { ...file, digest: 'b'.repeat(64) }, 0), false)
      assert.equal(await store.renew(dead!), false)
      await store.abandon(dead!)
      assert.equal((await maker.find(requested))?.digest, file.digest)
    })

    test('[EXP-9] given a file that waits longer than the timeout, then 500 with a sentence, and it leaves the queue', async (t) => {
      const { solved, requestFor, openMaker, makeAnything } = await givenExports(t, await kind.open(t))
      const open = gate()
      const { maker, requests, options } = openMaker(async (request) => {
        await open.promise
        return makeAnything(request)
      })
      const [first, second] = [requestFor(await solved('A')), requestFor(await solved('B'))]
      const making = maker.get(first, NEVER_ABORTED)
      await until('the first is being made', async () => requests.length > 0)
      options.timeoutMs = 20
      // This also applies to the file that is being made; making it continues.
      for (const requested of [first, second]) {
        await assert.rejects(maker.get(requested, NEVER_ABORTED), { code: 'export_not_in_time', status: 500 })
      }
      open.resolve()
      const { digest } = await making
      assert.equal((await maker.find(first))?.digest, digest)
      assert.equal(await maker.find(second), undefined)
      assert.equal(requests.length, 1)
    })

    test('[EXP-10] given a client that disconnects, then its file is not made, unless that has begun', async (t) => {
      const { solved, requestFor, openMaker, makeAnything } = await givenExports(t, await kind.open(t))
      const open = gate()
      const { maker, requests } = openMaker(async (request) => {
        await open.promise
        return makeAnything(request)
      })
      const [making, waiting, last] = [
        requestFor(await solved('A')),
        requestFor(await solved('B')),
        requestFor(await solved('C')),
      ]
      const clients = [new AbortController(), new AbortController()]
      const aborted = [maker.get(making, clients[0]!.signal)]
      await until('the first is being made', async () => requests.length > 0)
      aborted.push(maker.get(waiting, clients[1]!.signal))
      const patient = maker.get(last, NEVER_ABORTED)
      for (const client of clients) client.abort()
      for (const one of aborted) await assert.rejects(one, { code: 'stopping' })
      open.resolve()
      await patient
      assert.ok(await maker.find(making))
      assert.equal(await maker.find(waiting), undefined)
      assert.equal(requests.length, 2)
    })

    test('[EXP-11] given a process that fails, then all waiting requests fail, and the next request tries again', async (t) => {
      const { solved, requestFor, openMaker, makeAnything, readFiles } = await givenExports(
        t,
        await kind.open(t),
      )
      const requested = requestFor(await solved())
      let fails = true
      const { maker } = openMaker(async (request) => {
        if (fails) throw new Error('It took longer than 120 s.')
        return makeAnything(request)
      })
      const failed = { code: 'export_not_made', status: 500, message: 'This export could not be made.' }
      await Promise.all([1, 2].map(() => assert.rejects(maker.get(requested, NEVER_ABORTED), failed)))
      assert.deepEqual(await readFiles(), [])
      fails = false
      assert.ok(await maker.get(requested, NEVER_ABORTED))
    })

    test('[EXP-1, EXP-4] given a document that is edited while its file is queued, and afterwards, then each file holds the edits before it, and is made once', async (t) => {
      const { solved, solve, requestFor, openMaker, makeAnything, edit } = await givenExports(
        t,
        await kind.open(t),
      )
      const [id, other] = [await solved(), requestFor(await solved('B'))]
      const open = gate()
      const { maker, requests } = openMaker(async (request) => {
        if (request.format === '.3dm') await open.promise
        return makeAnything(request)
      })
      const busy = maker.get(other, NEVER_ABORTED)
      await until('the process is busy', async () => requests.length > 0)
      const waiting = maker.get(requestFor(id, '.gh'), NEVER_ABORTED)
      await edit(id, { edit: 1 })
      open.resolve()
      await busy
      const contents = () =>
        requests.slice(1).map((request) => Buffer.from((request as DefinitionRequest).content).toString())
      const first = await waiting
      assert.deepEqual(contents(), ['{"edit":1}'])
      assert.equal((await maker.get(requestFor(id, '.gh'), NEVER_ABORTED)).digest, first.digest)
      await edit(id, { edit: 2 })
      await solve(id)
      const second = await maker.get(requestFor(id, '.gh'), NEVER_ABORTED)
      assert.notEqual(second.digest, first.digest)
      await solve(id)
      assert.equal((await maker.get(requestFor(id, '.gh'), NEVER_ABORTED)).digest, second.digest)
      assert.deepEqual(contents(), ['{"edit":1}', '{"edit":2}'])
    })

    test('[EXP-4] given a document that is renamed, then its file is made again', async (t) => {
      const database = await kind.open(t)
      const { solved, requestFor, openMaker, makeAnything } = await givenExports(t, database)
      const id = await solved('A')
      const { maker, requests } = openMaker(makeAnything)
      await maker.get(requestFor(id, '.gh'), NEVER_ABORTED)
      await database.transaction((write) =>
        write.updateTable('document').set({ name: 'B' }).where('public_id', '=', id).execute(),
      )
      const { source } = await maker.get(requestFor(id, '.gh'), NEVER_ABORTED)
      assert.equal(source.name, 'B')
      assert.deepEqual(
        requests.map((request) => request.format === '.gh' && request.name),
        ['A', 'B'],
      )
    })

    test('[EXP-30] given a file that was found, when it is looked for again, then the database is asked only after a commit, and each time without memory for it', async (t) => {
      const database = await kind.open(t)
      const { solved, requestFor, openMaker, makeAnything, solve } = await givenExports(t, database)
      const id = await solved('A')
      const requested = requestFor(id)
      const { digest } = await openMaker(makeAnything).maker.get(requested, NEVER_ABORTED)
      for (const [keptBytes, reads] of [
        [10_000, 3],
        [0, 6],
      ] as const) {
        const { maker, figures } = openMaker(makeAnything, keptBytes)
        for (const counter of [1, 1, 2, 2, undefined, 2])
          assert.equal((await maker.find(requested, counter))?.digest, digest)
        assert.equal(figures.reads, reads)
      }
      const { maker } = openMaker(makeAnything, 10_000)
      const find = async () => maker.find(requested, await database.readCommitCounter())
      assert.equal((await find())?.source.name, 'A')
      await database.transaction((write) =>
        write.updateTable('document').set({ name: 'B' }).where('public_id', '=', id).execute(),
      )
      assert.equal((await find())?.source.name, 'B')
      await solve(id)
      assert.equal(await find(), undefined)
    })

    test('[EXP-7] given warnings, then later requests get them too', async (t) => {
      const { solved, requestFor, openMaker, makeAnything } = await givenExports(t, await kind.open(t))
      const requested = requestFor(await solved())
      const warnings = ['A wire was left out.', '塔']
      const { maker } = openMaker(async (request) => ({ ...(await makeAnything(request)), warnings }))
      await maker.get(requested, NEVER_ABORTED)
      assert.deepEqual((await maker.get(requested, NEVER_ABORTED)).warnings, warnings)
    })
  })
}

function never(): never {
  throw new Error('There is no file.')
}
