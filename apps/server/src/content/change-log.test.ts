import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { endMembership, setMember } from '../access/members.ts'
import { createSessionStore } from '../access/sessions.store.ts'
import { createUserStore } from '../access/users.store.ts'
import { putDocumentIntoBin } from '../library/bin.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { createTeam } from '../team/teams.ts'
import { DATABASES } from '../testing/databases.ts'
import {
  ClientTakenError,
  createChangeLog,
  DocumentDeletedError,
  EditForbiddenError,
  type Editor,
  SessionEndedError,
} from './change-log.ts'
import { addSlider, givenContent } from './testing/given-content.ts'

/** So often a removal meets edits that are under way. */
const ROUNDS = 10

for (const kind of DATABASES) {
  describe(`the log of edits on ${kind.name}`, kind.options, () => {
    test('[LIV-3, LIV-10] given many edits at once, then they are stored in their order without a gap, in few transactions, each of which raises the version of the team', async (t) => {
      const { database, team, live, open, changes, store } = await givenContent(t, kind)
      const [first, second] = [await live(), await live()]
      const { doc } = await open(first.key)
      await open(second.key)
      const version = async () =>
        (await database.read.selectFrom('team').select('version').executeTakeFirstOrThrow()).version
      const before = await version()
      const edits = Array.from({ length: 100 }, () => addSlider(doc))
      const stored = await Promise.all(
        edits.map(({ update }, at) =>
          changes.append({ document: at % 4 === 0 ? second.key : first.key, team, update }),
        ),
      )
      const raised = (await version()) - before
      assert.ok(raised >= 1 && raised <= 3, `${raised} transactions`)
      const ofFirst = stored.filter((_, at) => at % 4 !== 0).map(({ seq }) => seq)
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

    test('[LIV-8] given two processes that append to one document at once, then no position in the log is taken twice or left out', async (t) => {
      const { team, live, open, changes, openElsewhere, store } = await givenContent(t, kind)
      const { key } = await live()
      const { doc } = await open(key)
      const elsewhere = createChangeLog(await openElsewhere())
      const appending = Array.from({ length: 60 }, async (_, at) => {
        const { update } = addSlider(doc)
        return (at % 2 ? changes : elsewhere).append({ document: key, team, update })
      })
      const seqs = (await Promise.all(appending)).map(({ seq }) => seq).sort((a, b) => a - b)
      assert.deepEqual(
        seqs,
        seqs.map((_, at) => at + 2),
      )
      assert.equal((await store.listChanges(key, 1)).length, 60)
    })

    test('[LIV-5] given an edit of a Yjs client that is somebody else’s, then it is left out, and those beside it are stored', async (t) => {
      const { team, live, open, changes, store, editor } = await givenContent(t, kind)
      const [ann, bob] = [await editor('ann'), await editor('bob')]
      const { key } = await live()
      const { doc } = await open(key)
      const append = (by: Editor, client: number) => {
        const { update } = addSlider(doc)
        return changes.append({ document: key, team, update, editor: by, newClients: [client] })
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
          [7, ann.user],
          [8, bob.user],
        ]),
      )
    })

    test('[LIV-6] given a document that went into the bin, then nothing is appended to it, and the edits of others are stored', async (t) => {
      const { database, team, live, open, changes } = await givenContent(t, kind)
      const [binned, stays] = [await live(), await live()]
      const { doc } = await open(binned.key)
      await open(stays.key)
      const { id } = await createUserStore(database).createUser({ email: 'a@example.org', name: 'A' })
      await changeTeam(database, team, (change) => putDocumentIntoBin(change, binned.key, id))
      const { update } = addSlider(doc)
      const [first, second] = await Promise.allSettled([
        changes.append({ document: binned.key, team, update }),
        changes.append({ document: stays.key, team, update }),
      ])
      assert.ok(first.status === 'rejected' && first.reason instanceof DocumentDeletedError)
      assert.deepEqual(second.status === 'fulfilled' && second.value, { seq: 2 })
    })

    test('[LIV-17] given editors whose session or membership ended, or whose role may not edit, when edits of them come with those of others, then only the others’ are stored, and each sender gets the reason', async (t) => {
      const { database, team, live, open, changes, store, editor, sessions } = await givenContent(t, kind)
      const other = (await createTeam(database, { name: 'Other' })).key
      const [member, owner, viewer, stranger, late, removed, out, elsewhere] = [
        await editor('member'),
        await editor('owner', 'owner'),
        await editor('viewer', 'viewer'),
        await editor('stranger', null),
        await editor('late', 'member', Date.now() - 1),
        await editor('removed'),
        await editor('out'),
        await editor('elsewhere', null),
      ]
      await changeTeam(database, team, (change) => endMembership(change, removed.user))
      await changeTeam(database, other, (change) => setMember(change, elsewhere.user, 'owner'))
      await sessions.endSessions(out.user)
      const { key } = await live()
      const { doc } = await open(key)
      const append = (by?: Editor) =>
        changes.append({ document: key, team, update: addSlider(doc).update, editor: by })
      const thief = { user: member.user, session: owner.session }
      const editors = [member, viewer, stranger, late, removed, out, elsewhere, thief, undefined, owner]
      const results = await Promise.allSettled(editors.map(append))
      assert.deepEqual(
        results.map((result) =>
          result.status === 'fulfilled' ? result.value.seq : result.reason.constructor,
        ),
        [
          2,
          EditForbiddenError,
          EditForbiddenError,
          SessionEndedError,
          EditForbiddenError,
          SessionEndedError,
          EditForbiddenError,
          SessionEndedError,
          3,
          4,
        ],
      )
      assert.equal((await store.listChanges(key, 1)).length, 3)
    })

    test('[LIV-17] given edits that are being appended, when another process ends the session or the membership, then nothing is stored from the moment on in which that is committed', async (t) => {
      const { team, live, open, changes, store, editor, openElsewhere } = await givenContent(t, kind)
      const elsewhere = await openElsewhere()
      const [database, sessions] = [elsewhere, createSessionStore(elsewhere, '')]
      const { key } = await live()
      const { doc } = await open(key)
      const { update } = addSlider(doc)
      const head = async () => (await store.findHead(key))!.seq
      for (let round = 0; round < ROUNDS; round++) {
        const by = await editor(`editor${round}`)
        let stored = 0
        const begun = Promise.withResolvers<void>()
        const append = async () => {
          for (;;) {
            await changes.append({ document: key, team, update, editor: by })
            // SQLite returns without a turn of the event loop, which the other process of this test needs.
            await setImmediate()
            if (++stored === 50) begun.resolve()
          }
        }
        const appending = Promise.allSettled(Array.from({ length: 20 }, append))
        await begun.promise
        if (round % 2) await sessions.endSessions(by.user)
        else await changeTeam(database, team, (change) => endMembership(change, by.user))
        const after = await head()
        // Each goes on until it is rejected.
        const ends = await appending
        assert.equal(await head(), after, `round ${round}`)
        for (const end of ends) assert.ok(end.status === 'rejected')
      }
    })
  })
}
