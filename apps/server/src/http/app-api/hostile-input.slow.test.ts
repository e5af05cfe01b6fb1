import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ENDPOINTS, type AppEndpoint } from '@meadow/contract/web'
import { DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { createThings } from './testing/team-things.ts'

/** PostgreSQL stores it in no text, and fails where it is compared with one. */
const NUL = 'a\0b'

/** What members of bodies and queries are called, with something that is accepted. */
const ACCEPTED: Record<string, unknown> = {
  ...{
    name: 'N',
    note: 'n',
    role: 'viewer',
    text: 't',
    anchor: { kind: 'document' },
    url: 'https://a.example.org/',
  },
  ...{ events: ['document.solved'], isFavourite: true, isResolved: true, format: '.gh', appliedBy: 'server' },
  ...{
    overlapHours: 1,
    since: '2026-01-01T00:00:00.000Z',
    kind: 'component',
    key: 'x',
    scopes: ['team:read'],
  },
}

/** A value with each of its texts replaced, one at a time. */
function* spoil(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield NUL
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      for (const one of spoil(member))
        yield Array.isArray(value) ? value.with(Number(name), one) : { ...value, [name]: one }
}

const membersOf = (schema: unknown): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

/** Requests with one text that holds NUL each. */
function* listSpoiled({ path, params, query, body }: AppEndpoint, things: Record<string, unknown>) {
  const accepted = { ...ACCEPTED, ...things }
  const fill = (schema: unknown) =>
    Object.fromEntries(
      membersOf(schema).flatMap((name) => (name in accepted ? [[name, accepted[name]]] : [])),
    )
  const idOf = (name: string) => String(things[name] ?? 'nothing')
  const whole = path.replaceAll(/:(\w+)/g, (_, name: string) => idOf(name))
  const given = fill(body)
  for (const param of Object.keys(params.properties))
    yield {
      path: path.replaceAll(/:(\w+)/g, (_, name: string) =>
        name === param ? encodeURIComponent(NUL) : idOf(name),
      ),
      body: given,
    }
  for (const name of membersOf(query))
    yield {
      path: `${whole}?${new URLSearchParams({ ...(fill(query) as Record<string, string>), [name]: NUL })}`,
      body: given,
    }
  for (const name of membersOf(body))
    for (const value of spoil(given[name] ?? NUL)) yield { path: whole, body: { ...given, [name]: value } }
}

for (const kind of DATABASES.filter(({ name }) => name === 'postgres'))
  describe('input that the database does not take', kind.options, () => {
    test('[APP-7] given NUL in any text of a path, query or body, when it comes to any endpoint, then that is no failure of the server', async (t) => {
      const app = await startWebApp(t, kind)
      const { team, signIn } = app
      const ann = await signIn('Ann', 'owner')
      const make = createThings(app, team, ann)
      const documentId = await make.documentId!()
      const document = `/documents/${documentId}`
      const anchor = { kind: 'document' }
      const { thread, comments } = (await ann.request('POST', `${document}/threads`, { anchor, text: 't' }))
        .json
      const { version } = (await ann.request('POST', `${document}/versions`, { name: 'v' })).json
      const { url, events } = ACCEPTED
      const { webhook } = (
        await ann.request('POST', `/teams/${team.id}/webhooks`, { name: 'W', url, events })
      ).json
      const things = {
        ...{
          documentId,
          teamId: team.id,
          userId: ann.userId,
          threadId: thread.id,
          commentId: comments[0].id,
        },
        ...{ versionId: version.id, webhookId: webhook.id, folderId: await make.folderId!() },
        ...{ fileId: await make.fileId!(), binItemId: await make.binItemId!(), upTo: comments[0].id },
        ...{ items: ['document', 'file', 'folder'].map((kind) => ({ kind, id: 'x' })), binItemIds: ['x'] },
      }
      const failures: string[] = []
      let sent = 0
      for (const endpoint of APP_ENDPOINTS) {
        for (const { path, body } of listSpoiled(endpoint, things)) {
          sent++
          const json = endpoint.body === undefined ? undefined : body
          const { status } = await ann.request(endpoint.method, path, json)
          if (status >= 500) failures.push(`${endpoint.method} ${path} ${JSON.stringify(json)}: ${status}`)
        }
      }
      assert.deepEqual(failures, [])
      assert.ok(sent > 200, `${sent} requests`)
    })
  })
