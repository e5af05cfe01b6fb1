import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { addNodes, type LiveDocument, setSlider } from '@meadow/client/live'
import { type DocumentId, LIVE_CLOSE, type UserId } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import * as Y from 'yjs'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { connectRaw, requestFrame, updateFrame } from './testing/raw-client.ts'
import { addSlider, createSlider, sliderContent } from './testing/sliders.ts'
import { startLiveServer } from './testing/start-live-server.ts'

/** The edits that are acknowledged in each copy before the person is removed. */
const BEFORE = 5
const COPIES = 3
/** The state vector of a client that has nothing of a document. */
const NOTHING_YET = new Uint8Array([0])

/** Makes edits without a pause until the server accepts no more. `begun` resolves when some are stored. */
function editOn(live: LiveDocument): { begun: Promise<void>; ended: Promise<void> } {
  const begun = Promise.withResolvers<void>()
  async function edit(): Promise<void> {
    const slider = addSlider(live)
    for (let count = 1; ; count++) {
      live.edit((doc) => setSlider(doc, slider, (count % 1000) / 1000))
      await live.durable()
      if (count === BEFORE) begun.resolve()
    }
  }
  // Any end is fine for the client: only the stored edits count.
  return { begun: begun.promise, ended: edit().catch(begun.reject) }
}

for (const kind of FEATURE_DATABASES) {
  /** Two servers on one database, and a person who edits a document at both. */
  async function start(t: TestContext) {
    const server = await startLiveServer(t, { kind })
    const elsewhere = await server.startAnother()
    const { database, fixtures, team, person, open, settings, dataDir } = server
    const owner = await person('owner', 'owner')
    const addFactor = (user: UserId) =>
      database.transaction((write) =>
        write
          .insertInto('second_factor')
          .values({
            ...{ id: `fac_${user}`, user_id: user, kind: 'totp', name: 'App', created_at: 0 },
            secret: 'never used here',
          })
          .execute(),
      )
    await addFactor(owner.id)
    const { run } = await createCommandLine(t, { ...settings, MEADOW_DATA_DIR: dataDir })

    /** The number of edits that are stored now. */
    const countEdits = async (id: DocumentId) =>
      (
        await database.read
          .selectFrom('document')
          .where('public_id', '=', id)
          .select('seq')
          .executeTakeFirstOrThrow()
      ).seq

    /** Sends a request to the other server, as a browser with the cookie. */
    async function send(cookie: string, method: string, path: string, body?: object) {
      const { status } = await fetch(elsewhere.address + APP_PREFIX + path, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      assert.ok(status < 300, `${method} ${path} answered ${status}`)
    }

    const requireFactor = (requiresSecondFactor: boolean) =>
      send(owner.cookie, 'PATCH', `/teams/${team.id}/security`, { requiresSecondFactor })

    async function command(...args: string[]) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 0, stderr)
    }

    /** The person edits several copies at both servers until `end` ends it. Returns the number of edits stored after that. */
    async function editUntil(name: string, end: (who: Who) => Promise<void>): Promise<number> {
      const id = await fixtures.document(team, { name })
      const who = { ...(await person(name)), document: id }
      const addresses = [...Array(COPIES).fill(server.address), elsewhere.address]
      const copies = await Promise.all(addresses.map((address) => open(id, who.cookie, address)))
      const editing = copies.map(editOn)
      await Promise.all(editing.map(({ begun }) => begun))
      await end(who)
      const stored = await countEdits(id)
      await Promise.all(editing.map(({ ended }) => ended))
      return (await countEdits(id)) - stored
    }

    return { ...server, owner, addFactor, requireFactor, send, command, editUntil }
  }

  describe(`a person who may no longer edit, on ${kind.name}`, kind.options, () => {
    test('[LIV-17, SIGN-36] given a person who edits at two servers without a pause, when one of them removes them, makes them a viewer, signs them out, deletes the document, or requires a second factor that they lack, then no edit of theirs is stored after its response', async (t) => {
      const { team, owner, send, editUntil, requireFactor } = await start(t)
      const member = (id: string) => `/teams/${team.id}/members/${id}`
      const ends: Record<string, (who: Who) => Promise<void>> = {
        removed: ({ id }) => send(owner.cookie, 'DELETE', member(id)),
        left: ({ id, cookie }) => send(cookie, 'DELETE', member(id)),
        demoted: ({ id }) => send(owner.cookie, 'PATCH', member(id), { role: 'viewer' }),
        signed: ({ cookie }) => send(cookie, 'POST', '/sign-out'),
        deleted: ({ document }) => send(owner.cookie, 'DELETE', `/documents/${document}`),
        locked: () => requireFactor(true),
      }
      for (const [name, end] of Object.entries(ends)) assert.equal(await editUntil(name, end), 0, name)
    })

    test('[LIV-17] given a person who edits without a pause, when a command removes them from the team, ends their sessions, or deletes them or the team, then no edit of theirs is stored after it has ended', {
      skip: noLauncher,
    }, async (t) => {
      const { team, person, command, editUntil } = await start(t)
      const removed = await editUntil('bob', () =>
        command('user', 'remove', 'bob@example.org', '--team', team.id),
      )
      assert.equal(removed, 0, 'user remove')
      const revoked = await editUntil('eve', () => command('session', 'revoke', '--user', 'eve@example.org'))
      assert.equal(revoked, 0, 'session revoke')
      await person('moe', 'owner')
      const gone = await editUntil('ann', () => command('user', 'delete', 'ann@example.org'))
      assert.equal(gone, 0, 'user delete')
      const deleted = await editUntil('max', () => command('team', 'delete', team.id))
      assert.equal(deleted, 0, 'team delete')
    })

    test('[LIV-2, SIGN-36] given a person who only looks, when another process removes them, makes them an editor, signs them out, deletes the document, or requires a second factor that they lack, then their socket is closed without waiting for the next check', async (t) => {
      // Of the checks, only those that something brings about are left.
      const setAnyInterval = globalThis.setInterval
      t.mock.method(globalThis, 'setInterval', (work: () => void, ms: number) =>
        setAnyInterval(ms === 1000 ? () => {} : work, ms),
      )
      const { address, team, owner, send, command, requireFactor, addFactor, person, fixtures } =
        await start(t)
      const member = (id: string) => `/teams/${team.id}/members/${id}`
      const ends: Record<string, (who: Who) => Promise<void>> = {
        removed: ({ id }) => send(owner.cookie, 'DELETE', member(id)),
        promoted: ({ id }) => send(owner.cookie, 'PATCH', member(id), { role: 'member' }),
        signed: ({ cookie }) => send(cookie, 'POST', '/sign-out'),
        revoked: () => command('session', 'revoke', '--user', 'revoked@example.org'),
        deleted: ({ document }) => send(owner.cookie, 'DELETE', `/documents/${document}`),
        locked: () => requireFactor(true),
        async unprotected({ cookie, id }) {
          await send(cookie, 'DELETE', `/me/factors/fac_${id}`)
        },
      }
      const codes: Record<string, number> = {}
      for (const [name, end] of Object.entries(ends)) {
        const document = await fixtures.document(team, { name })
        const who = { ...(await person(name, 'viewer')), document }
        if (name === 'unprotected') await addFactor(who.id)
        const raw = await connectRaw(t, address, who.cookie)
        await raw.open(document)
        // Answered when the connection is complete: it is checked from then on.
        const answer = raw.next()
        raw.send(requestFrame(document, NOTHING_YET))
        await answer
        await end(who)
        codes[name] = (await raw.closed).code
      }
      const { changed, signedOut } = LIVE_CLOSE
      assert.deepEqual(codes, {
        removed: changed,
        promoted: changed,
        signed: signedOut,
        revoked: signedOut,
        deleted: changed,
        locked: changed,
        unprotected: changed,
      })
    })

    test('[SIGN-36] given a team that requires a second factor, when a member has none, then they open no document until they have one', async (t) => {
      const { team, fixtures, person, open, requireFactor, addFactor } = await start(t)
      const document = await fixtures.document(team)
      const bob = await person('bob')
      await requireFactor(true)
      await assert.rejects(open(document, bob.cookie), { fault: 'not_found' })
      await addFactor(bob.id)
      const live = await open(document, bob.cookie)
      addSlider(live)
      await live.durable()
    })

    test('[LIV-18] given a deleted document, when a client that has it open edits it, then its socket is closed with 4403, and no error is logged', async (t) => {
      const { log, lines } = createCapturedLog()
      const { address, fixtures, team, person, database } = await startLiveServer(t, { kind, log })
      const id = await fixtures.document(team, { content: sliderContent(1) })
      const ann = await person('ann')
      const raw = await connectRaw(t, address, ann.cookie)
      await raw.open(id)
      const { key } = await database.read
        .selectFrom('document')
        .where('public_id', '=', id)
        .select('id as key')
        .executeTakeFirstOrThrow()
      await changeTeam(database, team.key, (change) => putDocumentIntoBin(change, key, ann.id))
      const copy = new Y.Doc()
      addNodes(copy, [createSlider()])
      raw.send(updateFrame(id, Y.encodeStateAsUpdate(copy)))
      assert.deepEqual(await raw.closed, {
        code: LIVE_CLOSE.changed,
        reason: 'This document was deleted. It may be in the bin of its team.',
      })
      assert.deepEqual(
        lines.filter(({ level, err }) => level === 'error' || err),
        [],
      )
    })

    test('[LIV-18] given a deleted document, when a client has it open and edits nothing, then its socket is closed with 4403', async (t) => {
      const { address, fixtures, team, person } = await startLiveServer(t, { kind })
      const id = await fixtures.document(team, { content: sliderContent(1) })
      const ann = await person('ann')
      const raw = await connectRaw(t, address, ann.cookie)
      await raw.open(id)
      const deleted = await fetch(`${address}${APP_PREFIX}/documents/${id}`, {
        method: 'DELETE',
        headers: { cookie: ann.cookie },
      })
      assert.equal(deleted.status, 204)
      assert.deepEqual(await raw.closed, {
        code: LIVE_CLOSE.changed,
        reason: 'This document was deleted. It may be in the bin of its team.',
      })
    })
  })
}

interface Who {
  id: UserId
  cookie: string
  document: DocumentId
}
