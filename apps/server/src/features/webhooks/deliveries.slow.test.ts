import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { WebhookEventType } from '@meadow/contract'
import { setMember } from '../../access/members.ts'
import { deriveKey, seal } from '../../access/seal.ts'
import { createUserStore } from '../../access/users.store.ts'
import { createDocument, renameDocument } from '../../library/documents.ts'
import type { FolderKey, TeamKey, WebhookKey } from '../../platform/database/tables.ts'
import { createLog } from '../../platform/log.ts'
import { openQueue } from '../../platform/queue.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { enqueueEvent } from '../../team/webhook-events.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { until } from '../../testing/until.ts'
import { startWebhookReceiver, verifyMessage } from '../../testing/webhook-receiver.ts'
import { deleteTeam, restoreTeam } from '../deletion/team-deletion.ts'
import { createDeliveryStore } from './deliveries.store.ts'
import { type DeliveryTimes, planNext, secretUse, startDeliverySender } from './delivery-sender.ts'
import { createWebhookSecret, signMessage } from './post-message.ts'
import { createTargets } from './target.ts'
import { changeWebhook, createWebhook } from './webhook-changes.ts'

const KEY = deriveKey('a secret of thirty-two characters', 'webhooks')
const TARGETS = createTargets({ networks: ['127.0.0.1'], hosts: [] }, 'MEADOW_WEBHOOKS_ALLOW')
const LOG = createLog('silent')

const HOUR_MS = 3_600_000

/** As the service waits, in milliseconds in place of minutes. */
const FAST: Partial<DeliveryTimes> = {
  pollMs: 5,
  post: { connectMs: 2000, totalMs: 10_000 },
  retryMs: [10, 20, 40],
  restMs: [5, 10],
}

async function start(t: TestContext, kind: TestDatabase) {
  const database = await kind.open(t)
  const { id: maker } = await createUserStore(database).createUser({ name: 'Ann', email: 'ann@example.org' })
  async function giveTeam(name: string) {
    const given = await givenTeam(database, name)
    const { public_id } = await database.read
      .selectFrom('team')
      .where('id', '=', given.team)
      .select('public_id')
      .executeTakeFirstOrThrow()
    async function webhook(
      url: string,
      events: WebhookEventType[] = ['document.imported', 'document.changed'],
    ) {
      const secret = createWebhookSecret()
      const id = await changeTeam(database, given.team, (change) =>
        createWebhook(change, {
          ...{ name: 'Hook', url, events, folder: null, createdBy: maker },
          secret: seal(KEY, secretUse(public_id), secret),
        }),
      )
      return { id, secret }
    }
    /** Makes a document whose import is told. */
    const importOne = (name: string) => given.document({ name, source: sourceOf(given.root.key, name) })
    return { ...given, webhook, importOne }
  }
  const startSender = (times: Partial<DeliveryTimes> = {}) => {
    const parts = { database, targets: TARGETS, key: KEY, log: LOG }
    const sender = startDeliverySender(parts, { ...FAST, ...times })
    atEnd(t, () => sender[Symbol.asyncDispose]())
    return sender
  }
  const listDeliveries = () =>
    database.read.selectFrom('webhook_delivery').selectAll().orderBy('id').execute()
  const listAttempts = () => database.read.selectFrom('webhook_attempt').selectAll().orderBy('id').execute()
  const ended = () =>
    until('all deliveries have ended', async () => {
      const rows = await listDeliveries()
      return rows.length > 0 && rows.every(({ state }) => state !== 'waiting') && rows
    })
  const acme = await giveTeam('Acme')
  return { database, maker, giveTeam, startSender, listDeliveries, listAttempts, ended, acme }
}

const sourceOf = (root: FolderKey, name: string) => ({
  ...{ root, from: '/srv', path: `towers/${name}.gh`, sha256: 'aa', blob: 'aa', sizeBytes: 1, mtimeMs: null },
})

const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

for (const kind of DATABASES) {
  describe(`deliveries to webhooks on ${kind.name}`, kind.options, () => {
    test('[HOOK-1] given events in transactions that are committed and rolled back, then those of the first are told, each to the webhooks that ask for it', async (t) => {
      const { acme, startSender, ended, database } = await start(t, kind)
      const [all, none] = [await startWebhookReceiver(t), await startWebhookReceiver(t)]
      const { secret } = await acme.webhook(all.url)
      await acme.webhook(none.url, ['document.solved'])
      startSender()
      await acme.importOne('Told')
      await assert.rejects(
        changeTeam(database, acme.team, async (change) => {
          await createDocument(change, {
            folder: acme.root.key,
            name: 'Rolled back',
            content: { kind: 'inline', bytes: Buffer.from('{}') },
            source: sourceOf(acme.root.key, 'Rolled back'),
          })
          throw new Error('no')
        }),
        /^Error: no$/,
      )
      await acme.importOne('Last')
      await ended()
      assert.deepEqual(all.received.map(({ message }) => message.data.document.name).sort(), ['Last', 'Told'])
      for (const one of all.received) verifyMessage(secret, one)
      assert.deepEqual(none.received, [])
    })

    test('[HOOK-12] given a team that is deleted, then what waits for its receivers is not sent until it is restored', async (t) => {
      const { acme, giveTeam, startSender, database, listDeliveries } = await start(t, kind)
      const [ours, theirs] = [await startWebhookReceiver(t), await startWebhookReceiver(t)]
      await acme.webhook(ours.url)
      await acme.importOne('Kept back')
      const other = await giveTeam('Other')
      await other.webhook(theirs.url)
      await database.transaction((write) => deleteTeam(database, write, acme.team, Date.now() + HOUR_MS))
      startSender()
      // What waits longer is sent before.
      for (const name of ['First', 'Second']) {
        await other.importOne(name)
        await until(`${name} arrives`, async () =>
          theirs.received.some(({ message }) => message.data.document.name === name),
        )
      }
      const [waiting] = await listDeliveries()
      assert.deepEqual([ours.received.length, waiting!.state, waiting!.attempts], [0, 'waiting', 0])
      await database.transaction((write) => restoreTeam(write, acme.team))
      await until('it arrives', async () => ours.received.length === 1)
    })

    test('[HOOK-4] given a burst of changes of two documents, when it is over, then each document is told of once, as it is then; a change after an attempt is a message of its own', async (t) => {
      const { acme, database, listDeliveries, startSender } = await start(t, kind)
      const receiver = await startWebhookReceiver(t)
      await acme.webhook(receiver.url, ['document.changed'])
      const [tower, bridge] = [
        await acme.document({ name: 'Tower' }),
        await acme.document({ name: 'Bridge' }),
      ]
      for (let edit = 0; edit < 20; edit++)
        for (const { key } of [tower, bridge])
          await changeTeam(acme.database, acme.team, (change) => renameDocument(change, key, `Edit ${edit}`))
      const rows = await listDeliveries()
      assert.equal(rows.length, 2)
      assert.ok(
        rows.every(({ next_at, created_at }) => next_at > created_at && next_at <= created_at + 60_000),
      )
      const makeDue = () =>
        database.transaction((write) => write.updateTable('webhook_delivery').set({ next_at: 0 }).execute())
      await makeDue()
      startSender()
      await until('both arrive', async () => receiver.received.length === 2)
      assert.deepEqual(
        receiver.received.map(({ message }) => message.data.document.name),
        ['Edit 19', 'Edit 19'],
      )
      await changeTeam(acme.database, acme.team, (change) => renameDocument(change, tower.key, 'Spire'))
      assert.equal((await listDeliveries()).length, 3)
      await makeDue()
      await until('the third arrives', async () => receiver.received.length === 3)
      assert.equal(receiver.received[2]!.message.data.document.name, 'Spire')
      assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 3)
    })

    test('[HOOK-5] given a receiver that fails, redirects, closes the connection, sends nonsense or hangs, when it recovers, then the message arrives with the same id and body, and the log says what was wrong', async (t) => {
      const { acme, startSender, ended, listAttempts } = await start(t, kind)
      const receiver = await startWebhookReceiver(t)
      const elsewhere = await startWebhookReceiver(t)
      await acme.webhook(receiver.url)
      const held: ServerResponse[] = []
      const answers: RequestListener[] = [
        answerWith(500, {}, `broken\u0000${'x'.repeat(100_000)}`),
        answerWith(302, { location: elsewhere.url }),
        (request) => void request.socket.destroy(),
        (request) => void request.socket.end('nonsense\r\n\r\n'),
        (_request, response) => void held.push(response),
        // The status is what counts, also when the body never ends.
        (_request, response) => void response.writeHead(200).write('ok'),
      ]
      receiver.answer = (...exchange) => answers.shift()!(...exchange)
      startSender({ post: { connectMs: 1000, totalMs: 1000 } })
      await acme.importOne('Tower')
      const [delivery] = await ended()
      assert.deepEqual([delivery!.state, delivery!.attempts], ['delivered', 6])
      const attempts = await listAttempts()
      assert.deepEqual(
        attempts.map(({ status }) => status),
        [500, 302, null, null, null, 200],
      )
      assert.deepEqual(
        attempts.map(({ error }) => error),
        [
          'The receiver answered 500. It has to answer 200 to 299.',
          'The receiver redirects (302), which is not followed: give the address that it leads to.',
          'The connection was lost before the receiver answered (ECONNRESET).',
          'The receiver did not answer as HTTP requires (HPE_INVALID_CONSTANT).',
          'The receiver did not answer within 1 seconds.',
          null,
        ],
      )
      assert.match(attempts[0]!.response!, /^broken\ufffdx{100,1100}$/)
      assert.equal(attempts[5]!.response, 'ok')
      assert.equal(new Set(receiver.received.map(({ id, body }) => id + body)).size, 1)
      assert.deepEqual(elsewhere.received, [])
    })

    test('[HOOK-5] given Retry-After in seconds and as a date, then nothing is tried before, and it is given up when that is too late', async (t) => {
      const { acme, database, startSender, listDeliveries, ended } = await start(t, kind)
      const receiver = await startWebhookReceiver(t)
      await acme.webhook(receiver.url)
      const settled = () =>
        until('the attempt is recorded', async () => {
          const [delivery] = await listDeliveries()
          return delivery && delivery.attempts > 0 && delivery.claimed_by === null && delivery
        })
      const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
      for (const [at, after] of ['3600', inAnHour].entries()) {
        receiver.answer = answerWith(503, { 'retry-after': after })
        const sender = startSender()
        await acme.importOne(`Tower ${at}`)
        const { next_at } = await settled()
        const waitMs = next_at - Date.now()
        assert.ok(waitMs > 3_000_000 && waitMs < 4_000_000, `${after}: ${waitMs} ms`)
        const { resume_at } = await database.read.selectFrom('webhook').selectAll().executeTakeFirstOrThrow()
        assert.ok(resume_at > Date.now() + 3_000_000)
        await sender[Symbol.asyncDispose]()
        await database.transaction(async (write) => {
          await write.deleteFrom('webhook_delivery').execute()
          await write.updateTable('webhook').set({ resume_at: 0 }).execute()
        })
      }
      await acme.importOne('Late')
      await database.transaction((write) =>
        write
          .updateTable('webhook_delivery')
          .set({ expires_at: Date.now() + 60_000 })
          .execute(),
      )
      startSender()
      assert.equal((await ended())[0]!.state, 'failed')
    })

    test('[HOOK-6] given a receiver that answers 410, or fails for days, then its webhook is ended, the owners get a mail, and nothing more is sent or queued', async (t) => {
      const { acme, database, maker, startSender, listDeliveries } = await start(t, kind)
      await changeTeam(database, acme.team, (change) => setMember(change, maker, 'owner'))
      await database.transaction((write) => write.updateTable('user').set({ emailVerified: 1 }).execute())
      const [gone, failing] = [await startWebhookReceiver(t), await startWebhookReceiver(t)]
      gone.answer = answerWith(410)
      failing.answer = answerWith(500)
      const { id } = await acme.webhook(gone.url)
      const { id: failingId } = await acme.webhook(failing.url)
      await database.transaction((write) =>
        write
          .updateTable('webhook')
          .set({ failing_since: Date.now() - 6 * 86_400_000, failures: 8 })
          .where('public_id', '=', failingId)
          .execute(),
      )
      startSender()
      await acme.importOne('Tower')
      const rows = await until('both are ended', async () => {
        const rows = await database.read.selectFrom('webhook').selectAll().orderBy('id').execute()
        return rows.every(({ state }) => state === 'ended') && rows
      })
      assert.equal(rows[0]!.public_id, id)
      assert.equal(rows[0]!.reason, 'The receiver answered that it wants no more messages (410).')
      assert.match(
        rows[1]!.reason!,
        /^Nothing could be delivered since \d{4}-\d\d-\d\d\. The receiver answered 500\./,
      )
      assert.equal(gone.received.length, 1)
      assert.equal(failing.received.length, 2)
      const before = (await listDeliveries()).length
      await acme.importOne('Bridge')
      assert.equal((await listDeliveries()).length, before)
      const mails = await database.read.selectFrom('mail').selectAll().execute()
      const notices = mails.filter(({ subject }) => subject === 'A webhook was ended')
      assert.deepEqual(
        notices.map(({ recipient }) => recipient),
        ['ann@example.org', 'ann@example.org'],
      )
      assert.match(notices[0]!.body!, /"Hook\\*" of the team \\*"Acme/)
    })

    test('[HOOK-7] given the dead receivers of one team with many messages, when another team has an event, then that is delivered at once', async (t) => {
      const { acme, giveTeam, startSender } = await start(t, kind)
      const [dead, alive] = [await startWebhookReceiver(t), await startWebhookReceiver(t)]
      const held: Socket[] = []
      dead.answer = ({ socket }) => void held.push(socket)
      for (let webhook = 0; webhook < 5; webhook++) await acme.webhook(dead.url)
      for (let event = 0; event < 20; event++) await acme.importOne(`Tower ${event}`)
      const other = await giveTeam('Other')
      await other.webhook(alive.url)
      startSender({ post: { connectMs: 120_000, totalMs: 120_000 } })
      await until('places are taken', async () => dead.received.length > 0)
      await other.importOne('Bridge')
      await until('it arrives', async () => alive.received.length === 1)
      // What hangs is not waited for, and takes no more than a team may.
      assert.ok(dead.received.length <= 8)
      dead.answer = answerWith(410)
      for (const socket of held) socket.destroy()
    })

    test('[HOOK-11] given several senders on one database, then each message is sent once; one whose sender is gone is sent when its lease has expired', async (t) => {
      const { acme, database, startSender, ended } = await start(t, kind)
      const receiver = await startWebhookReceiver(t)
      await acme.webhook(receiver.url)
      for (let event = 0; event < 30; event++) await acme.importOne(`Tower ${event}`)
      const store = createDeliveryStore(database)
      const due = await store.listDue()
      const lost = await store.claim([{ key: due[0]!.key, count: 3 }])
      assert.equal(lost.length, 3)
      const short = openQueue(database, 'webhook_delivery', { leaseMs: 300 })
      for (const lease of lost) assert.ok(await short.renew(lease))
      for (let sender = 0; sender < 3; sender++) startSender()
      await ended()
      assert.equal(receiver.received.length, 30)
      assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 30)
      // What the gone sender knows by now changes nothing.
      const attempt = { outcome: 'failed', at: 1, durationMs: 1, status: 500, error: 'x', response: null }
      const late = { delivery: lost[0]!, attempt: { ...attempt, retryAfterMs: 0 } as const, againInMs: 5 }
      await store.settle([{ ...late, restMs: () => 0 } as never], { failingMs: 1e9, minFailures: 99 })
      assert.ok((await ended()).every(({ state }) => state === 'delivered'))
    })

    test('[HOOK-9] given deliveries that ended long ago, and such that wait too long for a disabled webhook, then the former go with their attempts, and the latter are given up', async (t) => {
      const { acme, database, startSender, ended, listAttempts, listDeliveries } = await start(t, kind)
      const receiver = await startWebhookReceiver(t)
      const { id } = await acme.webhook(receiver.url)
      await acme.importOne('Old')
      const sender = startSender()
      await ended()
      await sender[Symbol.asyncDispose]()
      await acme.importOne('Waiting')
      await changeTeam(database, acme.team, (change) => changeWebhook(change, id, { enabled: false }))
      await database.transaction((write) =>
        write.updateTable('webhook_delivery').set({ expires_at: 1 }).where('state', '=', 'waiting').execute(),
      )
      await createDeliveryStore(database).deleteOlder(Date.now() + 1)
      assert.deepEqual(await listAttempts(), [])
      assert.ok((await listDeliveries()).every(({ about }) => about === 'Waiting'))
    })

    test('[HOOK-10] given a webhook whose secret cannot be decrypted any more, then nothing is sent, and the log says why', async (t) => {
      const { acme, database, startSender, listAttempts } = await start(t, kind)
      const receiver = await startWebhookReceiver(t)
      await acme.webhook(receiver.url)
      await database.transaction((write) => write.updateTable('webhook').set({ secret: 'other' }).execute())
      startSender()
      await acme.importOne('Tower')
      const [attempt] = await until('it is recorded', async () => {
        const attempts = await listAttempts()
        return attempts.length > 0 && attempts
      })
      assert.match(attempt!.error!, /its secret can no longer be read/)
      assert.deepEqual(receiver.received, [])
    })
  })
}

test('[HOOK-1] given an event of a team without webhooks, then its transaction writes nothing more', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { team, document } = await givenTeam(database)
  const { key } = await document()
  await database.transaction(async (write) =>
    enqueueEvent(write, { type: 'document.changed', team, document: key }),
  )
  assert.deepEqual(await database.read.selectFrom('webhook_delivery').selectAll().execute(), [])
})

test('[HOOK-2] given the example of Standard Webhooks, when it is signed, then the signature is the one in the specification', () => {
  const headers = signMessage(
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    },
    1_614_265_330_000,
  )
  assert.equal(headers['webhook-timestamp'], '1614265330')
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('[HOOK-7] given webhooks that fail, when places are given, then they have half of them at most, one each, and none of a team more than its part', () => {
  const webhook = (key: number, team: number, failures = 0) => ({
    ...{ key: key as WebhookKey, team: team as TeamKey, failures },
  })
  const failing = Array.from({ length: 100 }, (_, at) => webhook(at + 1, at + 1, 3))
  const planned = planNext([...failing, webhook(500, 500)], [])
  assert.equal(planned.filter(({ failures }) => failures > 0).length, 32)
  assert.deepEqual(planned.at(-1), { ...webhook(500, 500), count: 4 })
  const ofOneTeam = Array.from({ length: 10 }, (_, at) => webhook(at + 1, 1))
  assert.equal(
    planNext(ofOneTeam, []).reduce((sum, { count }) => sum + count, 0),
    8,
  )
  assert.deepEqual(planNext([webhook(1, 1)], Array(4).fill(webhook(1, 1))), [])
  assert.deepEqual(planNext([webhook(1, 1, 3)], [webhook(1, 1, 3)]), [])
})
