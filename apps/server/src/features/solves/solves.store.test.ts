import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { createSolveStore } from './solves.store.ts'
import { failedIn, givenDocuments, readSolves, readTeam, solvedIn, TERMS } from './testing/given-solves.ts'

for (const kind of DATABASES) {
  describe(`solves on ${kind.name}`, kind.options, () => {
    test('[JOB-3] given many solvers on connections of their own, when they lease at once, then each solve is leased once', async (t) => {
      const location = await kind.createLocation(t)
      const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(location)))
      atEnd(t, async () => {
        await Promise.all(databases.map((database) => database.close()))
      })
      const { team, documents } = await givenDocuments(databases[0]!, 1000, Array(20).fill({}))
      await createSolveStore(databases[0]!).request(
        team.key,
        documents.map(({ key }) => key),
      )
      const leased = await Promise.all(
        databases.map(async (database) => {
          const store = createSolveStore(database)
          const ids: string[] = []
          for (let lease = await store.lease(TERMS); lease; lease = await store.lease(TERMS))
            ids.push(lease.id)
          return ids
        }),
      )
      const rows = await readSolves(databases[0]!)
      assert.deepEqual(leased.flat().toSorted(), rows.map(({ public_id }) => public_id).toSorted())
      assert.ok(rows.every(({ state, attempts }) => state === 'running' && attempts === 1))
    })

    test('[JOB-8, JOB-9] given many solves of a poor team, when solvers lease and complete them at once, then it never owes more than one', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 7, Array(12).fill({}))
      const store = createSolveStore(database)
      await store.request(
        team.key,
        documents.map(({ key }) => key),
      )
      const work = async () => {
        for (let lease = await store.lease(TERMS); lease; lease = await store.lease(TERMS)) {
          assert.equal(await store.complete(lease, solvedIn(99_000)), true)
        }
      }
      // A worker that finds nothing stops, although more may become available when the others complete: one more run.
      await Promise.all([work(), work(), work(), work()])
      await work()
      assert.equal((await readTeam(database, team.key)).tenths, 70 - 3 * TERMS.maxTenths)
      const states = (await readSolves(database)).map(({ state }) => state)
      assert.deepEqual(states, Array(3).fill('solved'))
    })

    test('[JOB-1] given a document that changes while its solve is queued, then the solve is of the newest content, and records its `seq`', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 9, [{}])
      const store = createSolveStore(database)
      const [{ key }] = documents as [(typeof documents)[0]]
      const first = await store.request(team.key, [key])
      await database.transaction(async (write) => {
        await write.updateTable('document').set({ seq: 5 }).where('id', '=', key).execute()
        await write.updateTable('document_snapshot').set({ seq: 5 }).where('document_id', '=', key).execute()
      })
      assert.deepEqual(await store.request(team.key, [key]), first)
      const lease = await store.lease(TERMS)
      await store.complete(lease!, { ...solvedIn(1), seq: 5 } as never)
      const [solve] = await readSolves(database)
      assert.deepEqual([solve!.seq, solve!.state], [5, 'solved'])
    })

    test('[JOB-2] given a team without credits, when a solve is requested, then the request fails and nothing changes', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 0, [{}])
      const store = createSolveStore(database)
      const before = await readTeam(database, team.key)
      assert.deepEqual(await store.request(team.key, [documents[0]!.key]), { error: 'no_credits' })
      assert.deepEqual(await readTeam(database, team.key), before)
      assert.deepEqual(await readSolves(database), [])
    })

    test('[JOB-5] given a solve whose lease expired three times, when the next solver looks, then it fails with a reason, and costs nothing', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 9, [{}])
      let now = 1000
      const store = createSolveStore(database, () => now)
      await store.request(team.key, [documents[0]!.key])
      for (const attempt of [1, 2, 3]) {
        assert.equal((await store.lease(TERMS))!.attempt, attempt)
        assert.equal(await store.lease(TERMS), undefined)
        now += TERMS.leaseMs + 1
      }
      assert.equal(await store.lease(TERMS), undefined)
      const [solve] = await readSolves(database)
      assert.deepEqual([solve!.state, solve!.credit_tenths], ['failed', 0])
      assert.match(solve!.reason!, /^The solve was interrupted 3 times: .*\.$/)
      assert.equal((await readTeam(database, team.key)).tenths, 90)
    })

    test('given documents of another team, or missing ones, when solves are requested, then they are skipped', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenDocuments(database, 9, [])
      const other = await givenDocuments(database, 9, [{}])
      const store = createSolveStore(database)
      const missing = 999_999 as never
      assert.deepEqual(await store.request(team.key, [other.documents[0]!.key, missing]), { solves: [] })
      assert.deepEqual(await store.request(team.key, []), { solves: [] })
      assert.deepEqual(await readSolves(database), [])
    })

    test('given completed solves, then their records have the outcomes, and the latest is the last one', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 9, [{}])
      const store = createSolveStore(database)
      const [{ key, id }] = documents as [(typeof documents)[0]]
      const ids = []
      for (const outcome of [solvedIn(1500), failedIn(100, 'A reason.')]) {
        const requested = await store.request(team.key, [key])
        assert.ok('solves' in requested)
        ids.push(requested.solves[0]!.id)
        await store.complete((await store.lease(TERMS))!, outcome)
      }
      const [first, second] = await store.listSolves(ids)
      const { documentId, documentName, state, durationMs, tenths, reason } = first!
      assert.deepEqual(
        { documentId, documentName, state, durationMs, tenths, reason },
        {
          documentId: id,
          documentName: 'Document 0',
          state: 'solved',
          durationMs: 1500,
          tenths: 15,
          reason: null,
        },
      )
      assert.deepEqual([second!.state, second!.reason, second!.tenths], ['failed', 'A reason.', 1])
    })

    test('[JOB-8] given solves of less than a second, when they are charged, then each costs the tenths that it began, and the sum is exact', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 1, [{}])
      const store = createSolveStore(database)
      for (const [chargedMs, tenths] of [
        [0, 1],
        [100, 1],
        [101, 2],
        [299, 3],
      ] as const) {
        await store.request(team.key, [documents[0]!.key])
        const lease = await store.lease({ ...TERMS, maxTenths: 3 })
        // Real time does not count.
        await store.complete(lease!, { ...failedIn(60_000), chargedMs })
        const [solve] = await store.listSolves([lease!.id])
        assert.deepEqual([solve!.durationMs, solve!.tenths], [60_000, tenths])
      }
      assert.equal((await readTeam(database, team.key)).tenths, 10 - 7)
    })

    test('[JOB-36] given solves with a cause, then it is stored with the charge; one that waits counts as asked for once somebody asks, and only what was asked for is in the audit log, once', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 9, [{}, {}])
      const store = createSolveStore(database)
      const [alone, shared] = documents.map(({ key }) => key)
      const automatic = { cause: 'automatic' } as const
      await store.request(team.key, [alone!, shared!], automatic)
      await store.request(team.key, [shared!])
      await store.request(team.key, [shared!])
      await store.request(team.key, [shared!], automatic)
      for (let lease = await store.lease(TERMS); lease; lease = await store.lease(TERMS))
        await store.complete(lease, failedIn(1))
      const solves = await readSolves(database)
      assert.deepEqual(
        solves.map(({ document_id, cause }) => [document_id, cause]),
        [
          [alone, 'automatic'],
          [shared, 'asked'],
        ],
      )
      const entries = await database.read
        .selectFrom('credit_entry')
        .where('solution_id', 'is not', null)
        .select(['solution_id', 'cause'])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        entries,
        solves.map(({ public_id, cause }) => ({ solution_id: public_id, cause })),
      )
      const events = await database.read
        .selectFrom('audit_event')
        .where('action', '=', 'solve.requested')
        .select('details')
        .execute()
      assert.deepEqual(events, [{ details: JSON.stringify({ solution: solves[1]!.public_id }) }])
    })

    test('given made-up ids among real ones, when documents are searched, then only the real ones are found, in that order', async (t) => {
      const database = await kind.open(t)
      const { team, documents } = await givenDocuments(database, 0, [{}, {}])
      const store = createSolveStore(database)
      const [first, second] = documents.map(({ id }) => id)
      const found = await store.findDocuments([second!, '\0', 'doc_0000000000000000', first!, ''])
      assert.deepEqual(
        found.map(({ id }) => id),
        [second, first],
      )
      const page = await store.listDocuments(team.key, undefined, 1)
      const rest = await store.listDocuments(team.key, page[0]!.key, 10)
      assert.deepEqual(
        [...page, ...rest].map(({ id }) => id),
        [first, second],
      )
    })
  })
}
