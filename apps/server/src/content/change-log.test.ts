import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createUserStore } from '../access/users.store.ts'
import { DATABASES } from '../testing/databases.ts'
import { ClientTakenError, DocumentGoneError } from './change.ts'
import { createChangeLog } from './change-log.ts'
import { addSlider, givenContent } from './testing/given-content.ts'

for (const kind of DATABASES) {
  describe(`the log of edits on ${kind.name}`, kind.options, () => {
    test('[LIV-3, LIV-10] given many edits at once, then they are kept in their order without a gap, in few transactions, each of which raises the version of the team', async (t) => {
      const { database, team, live, open, changes, store } = await givenContent(t, kind)
      const [first, second] = [await live(), await live()]
      const { doc } = await open(first.key)
      await open(second.key)
      const version = async () =>
        (await database.read.selectFrom('team').select('version').executeTakeFirstOrThrow()).version
      const before = await version()
      const edits = Array.from({ length: 100 }, () => addSlider(doc))
      const kept = await Promise.all(
        edits.map(({ update }, at) =>
          changes.append({ document: at % 4 === 0 ? second.key : first.key, team, update }),
        ),
      )
      const raised = (await version()) - before
      assert.ok(raised >= 1 && raised <= 3, `${raised} transactions`)
      const ofFirst = kept.filter((_, at) => at % 4 !== 0).map(({ seq }) => seq)
      assert.deepEqual(
        ofFirst,
        ofFirst.map((_, at) => at + 2),
      )
      const logged = await store.listChanges(first.key, 1)
      assert.deepEqual(
        logged.map(({ update }) => Buffer.from(update)),
        edits.filter((_, at) => at % 4 !== 0).map(({ update }) => Buffer.from(update)),
      )
      assert.equal((await store.findHead(first.key))?.seq, 76)
    })

    test('[LIV-8] given two processes that append to one document at once, then no place in the log is taken twice or left out', async (t) => {
      const { team, live, open, changes, openElsewhere, store } = await givenContent(t, kind)
      const { key } = await live()
      const { doc } = await open(key)
      const elsewhere = createChangeLog(await openElsewhere())
      const appending = Array.from({ length: 60 }, async (_, at) => {
        const { update } = addSlider(doc)
        return (at % 2 ? changes : elsewhere).append({ document: key, team, update })
      })
      const places = (await Promise.all(appending)).map(({ seq }) => seq).sort((a, b) => a - b)
      assert.deepEqual(
        places,
        places.map((_, at) => at + 2),
      )
      assert.equal((await store.listChanges(key, 1)).length, 60)
    })

    test('[LIV-5] given an edit of a Yjs client that is somebody else’s, then it is left out, and those beside it are kept', async (t) => {
      const { database, team, live, open, changes, store } = await givenContent(t, kind)
      const users = createUserStore(database)
      const [ann, bob] = [
        await users.createUser({ email: 'ann@example.org', name: 'Ann' }),
        await users.createUser({ email: 'bob@example.org', name: 'Bob' }),
      ]
      const { key } = await live()
      const { doc } = await open(key)
      const append = (user: typeof ann, client: number) => {
        const { update } = addSlider(doc)
        return changes.append({ document: key, team, update, user: user.id, newClients: [client] })
      }
      const results = await Promise.allSettled([
        append(ann, 7),
        append(bob, 7),
        append(ann, 7),
        append(bob, 8),
      ])
      assert.deepEqual(
        results.map((result) =>
          result.status === 'fulfilled' ? result.value.seq : result.reason.constructor,
        ),
        [2, ClientTakenError, 3, 4],
      )
      assert.deepEqual(
        await store.listOwners(key),
        new Map([
          [7, ann.id],
          [8, bob.id],
        ]),
      )
    })

    test('[LIV-6] given a document that went into the bin, then nothing is appended to it, and the edits of others are kept', async (t) => {
      const { database, catalogue, team, live, open, changes } = await givenContent(t, kind)
      const [gone, stays] = [await live(), await live()]
      const { doc } = await open(gone.key)
      await open(stays.key)
      const { id } = await createUserStore(database).createUser({ email: 'a@example.org', name: 'A' })
      await catalogue.changeTeam(team, (change) => change.binDocument(gone.key, id))
      const { update } = addSlider(doc)
      const [first, second] = await Promise.allSettled([
        changes.append({ document: gone.key, team, update }),
        changes.append({ document: stays.key, team, update }),
      ])
      assert.ok(first.status === 'rejected' && first.reason instanceof DocumentGoneError)
      assert.deepEqual(second.status === 'fulfilled' && second.value, { seq: 2 })
    })
  })
}
