import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  MAX_WEBHOOKS,
  WEBHOOK_EVENTS,
  WEBHOOK_MESSAGES,
  type WebhookEventType,
  type WebhookMessage,
} from '@meadow/contract'
import type { Delivery } from '@meadow/contract/web'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { createDocument, renameDocument } from '../../library/documents.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { startWebhookReceiver, verifyMessage } from '../../testing/webhook-receiver.ts'
import { circle, points } from '../solves/testing/graphs.ts'

const HERE = { MEADOW_WEBHOOKS_ALLOW: '127.0.0.1' }
const ALL = Object.keys(WEBHOOK_EVENTS)

async function start(t: TestContext, kind?: TestDatabase) {
  const app = await startWebApp(t, kind, HERE)
  const receiver = await startWebhookReceiver(t)
  const ann = await app.signIn('Ann', 'owner')
  const path = `/teams/${app.team.id}/webhooks`
  const create = async (facts: object = {}) =>
    ann.request('POST', path, { name: 'CI', url: receiver.url, events: ALL, ...facts })
  return { ...app, receiver, ann, path, create }
}

/** Makes the last proof of who they are older than it may be for what gives access. */
const makeStale = ({ database }: Awaited<ReturnType<typeof start>>) =>
  database.transaction((write) =>
    write
      .updateTable('session')
      .set({ createdAt: new Date(Date.now() - 3_600_000).toISOString(), provedAt: null })
      .execute(),
  )

for (const kind of FEATURE_DATABASES) {
  // They wait for what is sent, most of the time.
  describe(`webhooks on ${kind.name}`, { ...kind.options, concurrency: 3 }, () => {
    test('[HOOK-2, HOOK-3, HOOK-9] given a webhook, when a test is sent and documents are created, renamed and imported, then the receiver gets signed messages that their schemas describe, and the log shows them', async (t) => {
      const { ann, path, create, receiver, database, team, fixtures } = await start(t, kind)
      const { status, json } = await create()
      assert.equal(status, 201)
      const { webhook, secret } = json
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const { deliveryId } = (await ann.request('POST', `${path}/${webhook.id}/tests`)).json
      await until('the test arrives', async () => receiver.received.length === 1)
      assert.equal(receiver.received[0]!.id, deliveryId)
      assert.deepEqual(receiver.received[0]!.message.data, {
        team: { id: team.id, name: 'Acme' },
        webhook: { id: webhook.id },
      })
      const root = await fixtures.root(team)
      const document = await changeTeam(database, team.key, async (change) => {
        const source = { root: root.key, from: '/srv', path: 'towers/Tower.gh', blob: 'aa', sha256: 'aa' }
        const { id, key } = await createDocument(change, {
          folder: root.key,
          name: 'Tower',
          content: { kind: 'inline', bytes: Buffer.from('{}') },
          source: { ...source, sizeBytes: 1, mtimeMs: null },
        })
        await renameDocument(change, key, 'Spire')
        return id
      })
      await until('both arrive', async () => receiver.received.length === 3)
      const [, imported, changed] = receiver.received.map(({ message }) => message)
      assert.equal(imported.type, 'document.imported')
      assert.deepEqual(imported.data.import, { outcome: 'created', fileName: 'Tower.gh' })
      assert.equal(changed.type, 'document.changed')
      for (const { data } of [imported, changed]) {
        const { updatedAt, ...facts } = data.document
        assert.deepEqual(facts, { id: document, name: 'Spire', folderId: root.id })
        assert.ok(Math.abs(Date.parse(updatedAt) - Date.now()) < 300_000)
        assert.equal(data.links.document, `/api/v1/documents/${document}`)
      }
      for (const one of receiver.received) {
        verifyMessage(secret, one)
        assert.ok(Check(WEBHOOK_MESSAGES[one.message.type as keyof typeof WEBHOOK_MESSAGES], one.message))
        assert.equal(one.headers['content-type'], 'application/json')
        assert.match(one.headers['user-agent']!, /^Meadow\//)
        assert.throws(() => verifyMessage(secret, { ...one, body: `${one.body} ` }))
      }
      const log = await until('all are recorded', async () => {
        const { json } = await ann.get(`${path}/${webhook.id}/deliveries`)
        return json.deliveries.every(({ state }: { state: string }) => state === 'delivered') && json
      })
      assert.deepEqual(
        log.deliveries.map(({ id }: { id: string }) => id),
        receiver.received.map(({ id }) => id).reverse(),
      )
      assert.deepEqual(
        log.deliveries.map(({ attempts }: Delivery) => [attempts[0]!.status, attempts[0]!.error]),
        Array(3).fill([204, null]),
      )
      const { json: some } = await ann.get(
        `${path}/${webhook.id}/deliveries?type=document.imported&state=delivered`,
      )
      assert.equal(some.deliveries.length, 1)
      assert.equal((await ann.get(path)).json.webhooks[0].waiting, 0)
    })

    test('[HOOK-2, HOOK-10] given a webhook, when its secret is shown and rotated, then both secrets sign as long as the owner chose, and the database and the audit log have neither', async (t) => {
      const { ann, path, create, receiver, database } = await start(t, kind)
      const { webhook, secret } = (await create()).json
      assert.equal((await ann.request('POST', `${path}/${webhook.id}/secret`)).json.secret, secret)
      const rotated = await ann.request('POST', `${path}/${webhook.id}/rotation`, { overlapHours: 1 })
      assert.notEqual(rotated.json.secret, secret)
      assert.ok(Date.parse(rotated.json.webhook.formerSecretUntil) > Date.now())
      const sendTest = async () => {
        const { deliveryId } = (await ann.request('POST', `${path}/${webhook.id}/tests`)).json
        return until('the test arrives', async () => receiver.received.find(({ id }) => id === deliveryId))
      }
      const both = await sendTest()
      verifyMessage(secret, both)
      verifyMessage(rotated.json.secret, both)
      const last = await ann.request('POST', `${path}/${webhook.id}/rotation`, { overlapHours: 0 })
      const one = await sendTest()
      verifyMessage(last.json.secret, one)
      assert.throws(() => verifyMessage(rotated.json.secret, one))
      const stored = await database.read.selectFrom('webhook').selectAll().execute()
      const audited = await database.read.selectFrom('audit_event').selectAll().orderBy('seq').execute()
      for (const known of [secret, rotated.json.secret, last.json.secret])
        assert.ok(!JSON.stringify([stored, audited]).includes(known.slice('whsec_'.length, -1)))
      const actions = audited.map(({ action }) => action).filter((action) => action.startsWith('webhook'))
      assert.deepEqual(actions, [
        'webhook.added',
        'webhook.secret_shown',
        'webhook.secret_rotated',
        'webhook.secret_rotated',
      ])
    })

    test('[HOOK-9] given a delivery that was given up, when it is replayed alone and with all others since a time, then it arrives again under the same id', async (t) => {
      const { ann, path, create, receiver, database } = await start(t, kind)
      const { webhook } = (await create()).json
      const { deliveryId } = (await ann.request('POST', `${path}/${webhook.id}/tests`)).json
      const arrivals = (count: number) =>
        until(`it has arrived ${count} times`, async () => {
          const { json } = await ann.get(`${path}/${webhook.id}/deliveries?state=delivered`)
          return receiver.received.length === count && json.deliveries.length === 1
        })
      await arrivals(1)
      const replay = await ann.request('POST', `${path}/${webhook.id}/deliveries/${deliveryId}/replay`)
      assert.equal(replay.status, 202)
      await arrivals(2)
      await database.transaction((write) =>
        write.updateTable('webhook_delivery').set({ state: 'failed' }).execute(),
      )
      const replays = (since: number) =>
        ann.request('POST', `${path}/${webhook.id}/replays`, { since: new Date(since).toISOString() })
      assert.equal((await replays(Date.now() + 60_000)).json.replayed, 0)
      assert.equal((await replays(Date.now() - 60_000)).json.replayed, 1)
      await arrivals(3)
      assert.deepEqual(new Set(receiver.received.map(({ id }) => id)), new Set([deliveryId]))
      const wrong = await ann.request('POST', `${path}/${webhook.id}/deliveries/msg_nothing/replay`)
      assert.equal(wrong.status, 404)
    })

    test('[HOOK-3] given a webhook, when a version of a document is named, then the receiver is told of it once', async (t) => {
      const { ann, create, receiver, fixtures, team } = await start(t, kind)
      const { secret } = (await create({ events: ['document.version_named'] })).json
      const content = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }
      const document = await fixtures.document(team, { content })
      const { status, text } = await ann.request('POST', `/documents/${document}/versions`, { name: 'Final' })
      assert.ok(status < 300, text)
      const one = await until('it arrives', async () => receiver.received[0])
      verifyMessage(secret, one)
      assert.ok(Check(WEBHOOK_MESSAGES['document.version_named'], one.message))
      assert.deepEqual([one.message.data.document.id, one.message.data.version.name], [document, 'Final'])
    })

    test('[HOOK-1, HOOK-3, HOOK-12] given documents that can be solved and that cannot, when they are solved, then the receiver is told of each as the solve ended, signed, and the metrics count the attempts', async (t) => {
      const { ann, create, receiver, fixtures, team, database, request, get } = await start(t, kind)
      await changeTeam(database, team.key, (change) => addCredits(change, 100))
      const { secret } = (await create({ events: ['document.solved', 'document.failed'] })).json
      const documents = {
        solved: await fixtures.document(team, { name: 'Points', content: points() }),
        failed: await fixtures.document(team, { name: 'Basin', content: circle() }),
      }
      for (const id of Object.values(documents))
        assert.equal((await ann.request('POST', `/documents/${id}/solves`)).status, 202)
      await until('both arrive', async () => receiver.received.length === 2)
      for (const one of receiver.received) verifyMessage(secret, one)
      const find = <Type extends WebhookEventType>(type: Type): WebhookMessage<Type>['data'] => {
        const found = receiver.received.find(({ message }) => message.type === type)!.message
        assert.equal(Check(WEBHOOK_MESSAGES[type], found), true)
        return found.data
      }
      const [solved, failed] = [find('document.solved'), find('document.failed')]
      assert.deepEqual([solved.document.id, failed.document.id], Object.values(documents))
      assert.equal(solved.links.solution, `/api/v1/documents/${documents.solved}/solution`)
      const solution = (await get(solved.links.solution.slice('/api/v1'.length))).json
      assert.deepEqual([solved.solution.durationMs, solved.solution.isComplete], [solution.durationMs, true])
      assert.match(failed.solution.reason, /run in a circle/)
      const metrics = await until('the metrics have both', async () => {
        const { text } = await request('/metrics')
        return /^meadow_webhook_deliveries_waiting 0$/m.test(text) && text
      })
      assert.match(metrics, /^meadow_webhook_attempts_total\{outcome="delivered"\} 2$/m)
      assert.match(metrics, /^meadow_webhook_oldest_seconds 0$/m)
    })

    test('[HOOK-13] given a webhook that is limited to a folder, then it is told of documents that are below that at the time, wherever the folder is moved, and of nothing while the folder is in the bin or after it was deleted, which it says', async (t) => {
      const { ann, path, create, fixtures, team } = await start(t, kind)
      const root = await fixtures.root(team)
      const createFolder = async (parent: string, name: string): Promise<string> =>
        (await ann.request('POST', `/folders/${parent}/folders`, { name })).json.folder.id
      const [projects, archive] = [
        await createFolder(root.id, 'Projects'),
        await createFolder(root.id, 'Archive'),
      ]
      const towers = await createFolder(projects, 'Towers')
      const { status, json } = await create({ events: ['document.version_named'], folder: projects })
      assert.equal(status, 201)
      const hook = `${path}/${json.webhook.id}`
      const find = async () => (await ann.get(path)).json.webhooks[0].folder
      assert.deepEqual(await find(), { id: projects, name: 'Projects', state: 'in_use' })
      const tower = await fixtures.document(team, { name: 'Tower' })
      const move = (folder: string) => ann.request('PATCH', `/documents/${tower}`, { folderId: folder })
      let named = 0
      /** Whether an event of the document was told: a message is stored with what it tells of. */
      async function isTold(): Promise<boolean> {
        const count = async () => (await ann.get(`${hook}/deliveries`)).json.deliveries.length
        const before = await count()
        const { status } = await ann.request('POST', `/documents/${tower}/versions`, { name: `V${++named}` })
        assert.ok(status < 300)
        return (await count()) > before
      }
      assert.equal(await isTold(), false, 'outside')
      await move(towers)
      assert.equal(await isTold(), true, 'moved into a folder below')
      await ann.request('PATCH', `/folders/${projects}`, { parentId: archive })
      assert.equal(await isTold(), true, 'the folder was moved')
      await move(archive)
      assert.equal(await isTold(), false, 'moved to the folder above')
      /** Returns the item of the bin. */
      async function binFolder(): Promise<string> {
        await ann.request('DELETE', `/folders/${projects}`)
        return (await ann.get(`/teams/${team.id}/bin`)).json.items[0].id
      }
      const item = await binFolder()
      assert.deepEqual(await find(), { id: projects, name: 'Projects', state: 'in_bin' })
      assert.equal(await isTold(), false, 'in the bin')
      await ann.request('POST', `/bin/${item}/restore`)
      await move(projects)
      assert.equal(await isTold(), true, 'restored')
      await move(root.id)
      await ann.request('DELETE', `/bin/${await binFolder()}`)
      assert.deepEqual(await find(), { id: null, name: null, state: 'deleted' })
      assert.equal(await isTold(), false, 'deleted')
      assert.equal((await ann.request('PATCH', hook, { name: 'Other' })).json.webhook.folder.state, 'deleted')
      assert.equal((await ann.request('PATCH', hook, { folder: projects })).status, 404)
      assert.equal((await ann.request('PATCH', hook, { folder: root.id })).json.webhook.folder, null)
      assert.equal(await isTold(), true, 'of the whole team')
    })

    test('[HOOK-1, HOOK-10] given a webhook that is disabled, then it is told of nothing, and of what is new after it is enabled', async (t) => {
      const { ann, path, create, receiver, database, team, fixtures } = await start(t, kind)
      const { webhook } = (await create({ events: ['document.imported'] })).json
      const importOne = async (name: string) => {
        const { key } = await fixtures.root(team)
        const source = { root: key, from: '/srv', path: `${name}.gh`, blob: 'aa', sha256: 'aa' }
        await changeTeam(database, team.key, (change) =>
          createDocument(change, {
            folder: key,
            name,
            content: { kind: 'inline', bytes: Buffer.from('{}') },
            source: { ...source, sizeBytes: 1, mtimeMs: null },
          }),
        )
      }
      const set = (body: object) => ann.request('PATCH', `${path}/${webhook.id}`, body)
      assert.equal((await set({ enabled: false })).json.webhook.state, 'disabled')
      await importOne('First')
      assert.equal((await ann.request('POST', `${path}/${webhook.id}/tests`)).status, 409)
      assert.equal((await set({ enabled: true, name: 'Build' })).json.webhook.name, 'Build')
      await importOne('Second')
      await until('the second arrives', async () => receiver.received.length > 0)
      assert.deepEqual(
        receiver.received.map(({ message }) => message.data.document.name),
        ['Second'],
      )
      assert.equal((await ann.request('DELETE', `${path}/${webhook.id}`)).status, 204)
      assert.deepEqual((await ann.get(path)).json, { webhooks: [] })
      assert.equal((await ann.get(`${path}/${webhook.id}/deliveries`)).status, 404)
    })
  })
}

test('[HOOK-10] given a session without a fresh sign-in, when it adds or changes a webhook or asks for a secret, then it is asked to prove who it is; another team does not reach the webhook', async (t) => {
  const app = await start(t)
  const { ann, path, create, signIn, fixtures } = app
  const { webhook } = (await create()).json
  const other = await fixtures.team('Other')
  const eve = await signIn('Eve', 'owner', other)
  const theirs = `/teams/${other.id}/webhooks/${webhook.id}`
  for (const [method, rest, body] of [
    ['PATCH', '', { enabled: false }],
    ['DELETE', ''],
    ['POST', '/secret'],
    ['POST', '/rotation', { overlapHours: 0 }],
    ['POST', '/tests'],
    ['GET', '/deliveries'],
    ['POST', '/replays', { since: new Date().toISOString() }],
  ] as const)
    assert.equal((await eve.request(method, theirs + rest, body)).status, 404, `${method} ${rest}`)
  await makeStale(app)
  const refused = [
    await create(),
    await ann.request('PATCH', `${path}/${webhook.id}`, { enabled: false }),
    await ann.request('POST', `${path}/${webhook.id}/secret`),
    await ann.request('POST', `${path}/${webhook.id}/rotation`, { overlapHours: 0 }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403, 403],
  )
})

test('[HOOK-10] given a team with as many webhooks, or waiting tests, as it can have, or addresses that are not accepted, then no other is added, and a sentence says why', async (t) => {
  const { create, ann, path } = await start(t)
  for (const [url, why] of [
    ['http://example.org/hook', /https/],
    ['https://user:pass@example.org', /user or password/],
    ['https://10.0.0.1/', /not public/],
    ['https://localhost/', /not public/],
    ['ftp://example.org', /such as https/],
    ['no address', /such as https/],
  ] as const) {
    const { status, json } = await create({ url })
    assert.equal(status, 400, url)
    assert.match(json.error, why)
  }
  assert.equal((await create({ events: ['document.exploded'] })).status, 400)
  assert.equal((await create({ events: [] })).status, 400)
  assert.equal((await create({ name: ' ' })).status, 400)
  // Nothing can be delivered there.
  const dead = (await create({ url: 'https://hooks.invalid/' })).json.webhook
  const send = async () => (await ann.request('POST', `${path}/${dead.id}/tests`)).status
  for (let sent = 0; sent < 5; sent++) assert.equal(await send(), 202)
  assert.equal(await send(), 429)
  for (let made = 1; made < MAX_WEBHOOKS; made++) assert.equal((await create()).status, 201)
  assert.equal((await create()).status, 409)
  assert.equal((await ann.get(path)).json.webhooks.length, MAX_WEBHOOKS)
})

test('[HOOK-3] given the schemas of messages, then there is one for each event, and each is a JSON schema of an object with type, timestamp and data', () => {
  assert.deepEqual(Object.keys(WEBHOOK_MESSAGES), [...ALL, 'webhook.test'])
  for (const [type, schema] of Object.entries(WEBHOOK_MESSAGES)) {
    assert.deepEqual(schema.required, ['type', 'timestamp', 'data'])
    assert.ok(Type.IsObject(schema), type)
  }
})
