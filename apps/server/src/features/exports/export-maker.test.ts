import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import type { DefinitionRequest } from './export-request.ts'
import { givenExports, NOBODY } from './testing/given-maker.ts'

/** Resolves when the test says so. */
const gate = () => Promise.withResolvers<void>()

for (const kind of DATABASES) {
  describe(`making exports on ${kind.name}`, kind.options, () => {
    test('[EXP-8] given two processes that are asked for one file many times at once, then it is made once', async (t) => {
      const { solved, want, openMaker, makeAnything, readFiles } = await givenExports(t, await kind.open(t))
      const wanted = await want(await solved())
      const both = [openMaker(makeAnything), openMaker(makeAnything)]
      const files = await Promise.all(
        both.flatMap(({ maker }) => Array.from({ length: 10 }, () => maker.get(wanted, NOBODY))),
      )
      assert.equal(new Set(files.map(({ digest }) => digest)).size, 1)
      assert.equal(both[0]!.asked.length + both[1]!.asked.length, 1)
      assert.equal((await readFiles()).length, 1)
    })

    test('[EXP-8] given a process that died while it made a file, then the next one takes over when its lease is over', async (t) => {
      const { solved, want, openMaker, makeAnything, store, readFiles } = await givenExports(
        t,
        await kind.open(t),
      )
      const wanted = await want(await solved())
      const before = openMaker(makeAnything)
      await before.maker.get(wanted, NOBODY)
      const [{ made_of: madeOf, id } = never()] = await readFiles()
      await store.forget(id)
      const dead = await store.claim(
        { madeOf, document: wanted.solution.document, seq: null, solve: null },
        60_000,
      )
      assert.equal(await store.renew(dead!, 200), true)
      assert.equal(await before.maker.find(wanted), undefined)
      const { maker, asked } = openMaker(makeAnything)
      const file = await maker.get(wanted, NOBODY)
      assert.equal(asked.length, 1)
      // What it had made is thrown away, should it live after all.
      assert.equal(await store.end(dead!, { ...file, digest: 'b'.repeat(64) }, 0), false)
      assert.equal(await store.renew(dead!, 1000), false)
      await store.giveUp(dead!)
      assert.equal((await maker.find(wanted))?.digest, file.digest)
    })

    test('[EXP-9] given a file whose turn does not come in time, then 500 with a sentence, and its turn is given up', async (t) => {
      const { solved, want, openMaker, makeAnything } = await givenExports(t, await kind.open(t))
      const open = gate()
      const { maker, asked, options } = openMaker(async (request) => {
        await open.promise
        return makeAnything(request)
      })
      const [first, second] = [await want(await solved('A')), await want(await solved('B'))]
      const making = maker.get(first, NOBODY)
      await until('the first is being made', async () => asked.length > 0)
      options.patienceMs = 20
      // Of the file that is being made already, too, and that goes on.
      for (const wanted of [first, second]) {
        await assert.rejects(maker.get(wanted, NOBODY), { code: 'export_not_in_time', status: 500 })
      }
      open.resolve()
      const { digest } = await making
      assert.equal((await maker.find(first))?.digest, digest)
      assert.equal(await maker.find(second), undefined)
      assert.equal(asked.length, 1)
    })

    test('[EXP-10] given a client that goes away, then its file is not made, but one that is being made already is', async (t) => {
      const { solved, want, openMaker, makeAnything } = await givenExports(t, await kind.open(t))
      const open = gate()
      const { maker, asked } = openMaker(async (request) => {
        await open.promise
        return makeAnything(request)
      })
      const [making, waiting, last] = [
        await want(await solved('A')),
        await want(await solved('B')),
        await want(await solved('C')),
      ]
      const clients = [new AbortController(), new AbortController()]
      const gone = [maker.get(making, clients[0]!.signal)]
      await until('the first is being made', async () => asked.length > 0)
      gone.push(maker.get(waiting, clients[1]!.signal))
      const patient = maker.get(last, NOBODY)
      for (const client of clients) client.abort()
      for (const one of gone) await assert.rejects(one, { code: 'stopping' })
      open.resolve()
      await patient
      assert.ok(await maker.find(making))
      assert.equal(await maker.find(waiting), undefined)
      assert.equal(asked.length, 2)
    })

    test('[EXP-11] given a process that fails, then all who wait are told, and the next request tries again', async (t) => {
      const { solved, want, openMaker, makeAnything, readFiles } = await givenExports(t, await kind.open(t))
      const wanted = await want(await solved())
      let fails = true
      const { maker } = openMaker(async (request) => {
        if (fails) throw new Error('It took longer than 120 s.')
        return makeAnything(request)
      })
      const failed = { code: 'export_not_made', status: 500, message: 'This export could not be made.' }
      await Promise.all([1, 2].map(() => assert.rejects(maker.get(wanted, NOBODY), failed)))
      assert.deepEqual(await readFiles(), [])
      fails = false
      assert.ok(await maker.get(wanted, NOBODY))
    })

    test('[EXP-1, EXP-4] given a document that is edited while its file waits, and after, then each file holds the edits before it, and is made once', async (t) => {
      const { solved, solve, want, openMaker, makeAnything, edit } = await givenExports(t, await kind.open(t))
      const [id, other] = [await solved(), await want(await solved('B'))]
      const open = gate()
      const { maker, asked } = openMaker(async (request) => {
        if (request.format === '.3dm') await open.promise
        return makeAnything(request)
      })
      const busy = maker.get(other, NOBODY)
      await until('the process is busy', async () => asked.length > 0)
      const waiting = maker.get(await want(id, '.gh'), NOBODY)
      await edit(id, { edit: 1 })
      open.resolve()
      await busy
      const contents = () =>
        asked.slice(1).map((request) => Buffer.from((request as DefinitionRequest).content).toString())
      const first = await waiting
      assert.deepEqual(contents(), ['{"edit":1}'])
      assert.equal((await maker.get(await want(id, '.gh'), NOBODY)).digest, first.digest)
      await edit(id, { edit: 2 })
      await solve(id)
      const second = await maker.get(await want(id, '.gh'), NOBODY)
      assert.notEqual(second.digest, first.digest)
      await solve(id)
      assert.equal((await maker.get(await want(id, '.gh'), NOBODY)).digest, second.digest)
      assert.deepEqual(contents(), ['{"edit":1}', '{"edit":2}'])
    })

    test('[EXP-4] given a document that is renamed, then its file is made again', async (t) => {
      const database = await kind.open(t)
      const { solved, want, openMaker, makeAnything } = await givenExports(t, database)
      const id = await solved('A')
      const { maker, asked } = openMaker(makeAnything)
      await maker.get(await want(id, '.gh'), NOBODY)
      await database.transaction((write) =>
        write.updateTable('document').set({ name: 'B' }).where('public_id', '=', id).execute(),
      )
      const { documentName } = await maker.get(await want(id, '.gh'), NOBODY)
      assert.equal(documentName, 'B')
      assert.deepEqual(
        asked.map((request) => request.format === '.gh' && request.name),
        ['A', 'B'],
      )
    })

    test('[EXP-7] given warnings, then whoever asks later hears of them too', async (t) => {
      const { solved, want, openMaker, makeAnything } = await givenExports(t, await kind.open(t))
      const wanted = await want(await solved())
      const warnings = ['A wire was left out.', '塔']
      const { maker } = openMaker(async (request) => ({ ...(await makeAnything(request)), warnings }))
      await maker.get(wanted, NOBODY)
      assert.deepEqual((await maker.get(wanted, NOBODY)).warnings, warnings)
    })
  })
}

function never(): never {
  throw new Error('There is no file.')
}
