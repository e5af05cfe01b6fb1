import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { revokeToken } from '../../access/team-tokens.ts'
import { countParsed, keepConnection } from '../../http/testing/kept-connection.ts'
import { renameDocument } from '../../library/documents.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { numbers, tubes } from '../solutions/testing/graphs.ts'
import { startExports } from './testing/start-exports.ts'

const readLinks = (database: Database, chain: string) =>
  database.read
    .selectFrom('audit_event')
    .where('chain', '=', chain)
    .where('action', '=', 'export.linked')
    .orderBy('seq')
    .selectAll()
    .execute()

for (const kind of FEATURE_DATABASES) {
  describe(`events of links to exports on ${kind.name}`, kind.options, () => {
    test('[EXP-31] given tokens that ask for exports which are there, then each file has an event for each token, with the token, the address, the document and the format, before the response, and repeated requests write nothing', async (t) => {
      const { document, solve, requestExport, database, fixtures, team } = await startExports(t, kind)
      const id = await document(tubes(), 'Tower')
      await solve(id)
      const [one, two] = [await fixtures.token(team), await fixtures.token(team)]
      const ask = async (token: string, query: string, init: RequestInit = {}) => {
        const { status, json } = await requestExport(id, query, { token, ...init })
        assert.equal(status, 200)
        return json?.export
      }
      const first = await ask(one.secret, 'format=.gh', { headers: { 'x-request-id': 'mine' } })
      const [event, ...others] = await readLinks(database, team.id)
      assert.equal(others.length, 0)
      const { actor_kind, actor_id, actor_name, token, address, request, thing_id, thing_name, details } =
        event!
      assert.deepEqual(
        { actor_kind, actor_id, actor_name, token, address, request, thing_id, thing_name },
        {
          ...{ actor_kind: 'token', actor_id: one.id, actor_name: 'test', token: one.id },
          ...{ address: '127.0.0.1', request: 'mine', thing_id: id, thing_name: 'Tower' },
        },
      )
      const facts = { format: '.gh', modelerVersion: null, archiveVersion: null, sha256: first.sha256 }
      assert.deepEqual(JSON.parse(details!), facts)

      // The process itself writes now and then: that it lives, and when a token was used.
      await until('requests that ask again write nothing', async () => {
        const before = await database.readCommitCounter()
        for (let times = 0; times < 5; times++) await ask(one.secret, 'format=.gh')
        await ask(two.secret, 'format=.gh', { method: 'HEAD' })
        return kind.name === 'postgres' || (await database.readCommitCounter()) === before
      })
      assert.equal((await readLinks(database, team.id)).length, 1)

      await Promise.all([...Array(4)].map(() => ask(two.secret, 'format=.gh')))
      // The model that the solve has written: it was never made for an export.
      await ask(one.secret, 'format=.3dm&modelerVersion=7')
      const rows = (await readLinks(database, team.id)).map(({ token, details }) => [
        token,
        JSON.parse(details!).format,
      ])
      assert.deepEqual(rows, [
        [one.id, '.gh'],
        [two.id, '.gh'],
        [one.id, '.3dm'],
      ])
      const made = await database.read
        .selectFrom('audit_event')
        .where('chain', '=', team.id)
        .where('action', '=', 'export.made')
        .select('seq')
        .execute()
      assert.equal(made.length, 1)
    })

    test('[EXP-31, HTTP-27] given tokens that ask for links on a kept connection, then each link is recorded once, later requests are not parsed, and a revoked token or a new name shows in the very next response', async (t) => {
      const { document, solve, exportOf, database, fixtures, team, address } = await startExports(t, kind)
      const ids = [await document(numbers(), 'One'), await document(numbers(), 'Two')]
      for (const id of ids) {
        await solve(id)
        await exportOf(id, 'format=.gh')
      }
      const [one, two] = [await fixtures.token(team), await fixtures.token(team)]
      const parsed = countParsed(t, address)
      const read = keepConnection(t, address)
      const ask = async (id: string, token: string) => {
        const before = parsed()
        const response = await read(`documents/${id}/export?format=.gh`, token)
        const { url, expiresAt, ...file } =
          JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).export ?? {}
        return { status: Number(response.slice(9, 12)), file, url, isParsed: parsed() > before }
      }
      for (const { secret } of [one, two]) {
        await read('team', secret)
        for (const id of ids) {
          const first = await ask(id, secret)
          assert.ok(first.isParsed)
          const { url, expiresAt, ...file } = await exportOf(id, 'format=.gh', { token: secret })
          // A commit of another test on the same PostgreSQL changes nothing for this path.
          const again = await ask(id, secret)
          assert.deepEqual([again.status, again.file, again.isParsed], [200, file, false])
          assert.equal(new URL(again.url).origin, new URL(url).origin)
          assert.equal((await fetch(again.url)).status, 200)
        }
      }
      assert.equal((await readLinks(database, team.id)).length, 2 + 4)
      await changeTeam(database, team.key, (change) => revokeToken(change, one.id))
      assert.equal((await ask(ids[0]!, one.secret)).status, 401)
      const { id: key } = await database.read
        .selectFrom('document')
        .where('public_id', '=', ids[1]!)
        .select('id')
        .executeTakeFirstOrThrow()
      await changeTeam(database, team.key, (change) => renameDocument(change, key, 'Three'))
      const renamed = await ask(ids[1]!, two.secret)
      assert.deepEqual([renamed.status, renamed.file.fileName, renamed.isParsed], [200, 'Three.gh', true])
    })

    test('[EXP-31] given an audit log that cannot be written, then there is no link, and with the next request there is', async (t) => {
      const { document, solve, requestExport, database, fixtures, team } = await startExports(t, kind)
      const id = await document(numbers())
      await solve(id)
      await requestExport(id, 'format=.gh')
      const { secret } = await fixtures.token(team)
      await database.transaction((write) =>
        sql`alter table audit_event rename to audit_event_away`.execute(write),
      )
      const failed = await requestExport(id, 'format=.gh', { token: secret })
      assert.ok(failed.status >= 500)
      assert.equal(failed.json.export, undefined)
      await database.transaction((write) =>
        sql`alter table audit_event_away rename to audit_event`.execute(write),
      )
      assert.equal((await requestExport(id, 'format=.gh', { token: secret })).status, 200)
      assert.equal((await readLinks(database, team.id)).length, 2)
    })
  })
}
