import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { API_ERRORS } from '@meadow/contract'
import fc from 'fast-check'
import { createLinkKeyStore } from '../../access/link-keys.store.ts'
import { revokeToken } from '../../access/team-tokens.ts'
import { createUserStore } from '../../access/users.store.ts'
import { putDocumentIntoBin, restoreFromBin } from '../../library/bin.ts'
import { keepTime } from '../../platform/database/database-clock.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { listTeams, setHost } from '../../team/teams.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { tubes } from '../solutions/testing/graphs.ts'
import { follow, startExports } from './testing/start-exports.ts'

const HOUR_MS = 60 * 60 * 1000

/** A server with a solved document, and a link to its model. */
async function startWithLink(t: TestContext, kind: TestDatabase) {
  const server = await startExports(t, kind)
  // The tests set the clock of this process; that of PostgreSQL is taken for the same.
  keepTime(server.database.read, () => Date.now())
  const id = await server.document(tubes(), 'Türme 7')
  await server.solve(id)
  const link = (token?: string) =>
    server.exportOf(id, 'format=.3dm&modelerVersion=7', token === undefined ? {} : { token })
  return { ...server, id, link, statusOf: async (url: string) => (await follow(url)).status }
}

for (const kind of FEATURE_DATABASES) {
  describe(`links on ${kind.name}`, kind.options, () => {
    test('[D28, EXP-13] given a link, then it works for one hour after the response, and then responds with 410 and a sentence', async (t) => {
      const { link } = await startWithLink(t, kind)
      const requestedAt = Date.now()
      const { url, expiresAt } = await link()
      const end = Date.parse(expiresAt)
      assert.ok(end >= requestedAt + HOUR_MS && end <= Date.now() + HOUR_MS)
      assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      t.mock.timers.enable({ apis: ['Date'], now: end - 1 })
      assert.equal((await follow(url)).status, 200)
      for (const after of [0, 1, 1000, 24 * HOUR_MS]) {
        t.mock.timers.setTime(end + after)
        for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
          const { status, error } = await follow(url, headers)
          assert.deepEqual([status, error], [410, API_ERRORS.link_expired.sentence])
        }
      }
    })

    test('[D28, EXP-14] given a link that differs in any character of its path, then 404 with the same body, before and after it would have expired', async (t) => {
      const { link, address } = await startWithLink(t, kind)
      const { url, expiresAt } = await link()
      const path = url.slice(address.length)
      const expected = await follow(`${address}/downloads/nothing/here`)
      assert.deepEqual([expected.status, expected.error], [404, API_ERRORS.page_not_found.sentence])
      const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
      const changed = fc
        .record({
          at: fc.integer({ min: 1, max: path.length - 1 }),
          character: fc.constantFrom(...characters),
          how: fc.constantFrom('replace', 'insert', 'remove'),
        })
        .map(({ at, character, how }) => {
          const rest = path.slice(how === 'insert' ? at : at + 1)
          return path.slice(0, at) + (how === 'remove' ? '' : character) + rest
        })
        .filter((other) => other !== path)
      await fc.assert(
        fc.asyncProperty(changed, async (other) => {
          const { status, bytes } = await follow(address + other)
          assert.equal(status, 404, other)
          assert.ok(bytes.equals(expected.bytes))
        }),
        { numRuns: 300 },
      )
      // The last character of a signature has unused bits.
      const end = path.lastIndexOf('/') - 1
      for (const character of characters) {
        const other = path.slice(0, end) + character + path.slice(end + 1)
        if (other !== path) assert.equal((await follow(address + other)).status, 404)
      }
      t.mock.timers.enable({ apis: ['Date'], now: Date.parse(expiresAt) + 1 })
      assert.equal((await follow(address + path.replace(/.$/, 'x'))).status, 404)
      assert.equal((await follow(url)).status, 410)
    })

    test('[EXP-14] given a link with another expiry, signed with a foreign key, then 404', async (t) => {
      const { link, address } = await startWithLink(t, kind)
      const { url } = await link()
      const [, folder, said = '', name] = url.slice(address.length).split(/[/]/)
      const [payload = '', signature = ''] = said.split('.')
      const words = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const rewritten = (change: (words: unknown[]) => void) => {
        const copy = structuredClone(words)
        change(copy)
        const text = Buffer.from(JSON.stringify(copy)).toString('base64url')
        return `${address}/${folder}/${text}.${signature}/${name}`
      }
      for (const change of [
        (copy: unknown[]) => (copy[1] = Number(copy[1]) + 1),
        (copy: unknown[]) => (copy[0] = Number(copy[0]) + 1),
        (copy: unknown[]) => (copy[0] = '1; drop table link_key'),
        (copy: unknown[]) => (copy[0] = 1e99),
        (copy: unknown[]) => (copy[2] = '../../etc/passwd'),
        (copy: unknown[]) => (copy[6] = null),
        (copy: unknown[]) => copy.pop(),
      ]) {
        assert.equal((await follow(rewritten(change))).status, 404)
      }
      for (const text of ['', 'null', '{}', '[]', '[[[', '"x"']) {
        const odd = Buffer.from(text).toString('base64url')
        assert.equal((await follow(`${address}/${folder}/${odd}.${signature}/${name}`)).status, 404)
      }
    })

    test('[C5.6, D12, EXP-16] given an API token sent along, then 403 with the sentence, whatever the link', async (t) => {
      const { link, secret } = await startWithLink(t, kind)
      const { url } = await link()
      for (const address of [url, `${url}x`]) {
        const { status, error } = await follow(address, { authorization: `Bearer ${secret}` })
        assert.deepEqual([status, error], [403, API_ERRORS.token_outside_the_api.sentence])
      }
      assert.equal((await follow(url, { authorization: 'Basic Zm9vOmJhcg==' })).status, 200)
    })

    test('[EXP-15] given a link, when the token that requested it is revoked, then it ends with 410, and links of other tokens work', async (t) => {
      const { link, fixtures, team, database, statusOf } = await startWithLink(t, kind)
      const { id, secret } = await fixtures.token(team)
      const [theirs, ours] = [await link(secret), await link()]
      await changeTeam(database, team.key, (change) => revokeToken(change, id))
      const { status, error } = await follow(theirs.url)
      assert.deepEqual([status, error], [410, API_ERRORS.link_ended.sentence])
      assert.equal(await statusOf(ours.url), 200)
    })

    test('[D3, EXP-29] given a link under the host name of another team, then 404 like any address without a file', async (t) => {
      const { link, address, fixtures, database, team } = await startWithLink(t, kind)
      await fixtures.team('Beton', 'beton.example.org')
      const [oldest] = await listTeams(database.read)
      assert.ok(oldest!.key < team.key)
      await changeTeam(database, oldest!.key, (change) => setHost(change, 'older.example.org'))
      const { url } = await link()
      const atHost = (path: string, host: string) => follow(path, { host })
      const nothing = await atHost(`${address}/downloads/nothing/here`, 'beton.example.org')
      for (const host of ['beton.example.org:8080', 'older.example.org']) {
        const found = await atHost(url, host)
        assert.deepEqual([found.status, found.error], [404, API_ERRORS.page_not_found.sentence], host)
        assert.ok(found.bytes.equals(nothing.bytes), host)
      }
      assert.equal((await atHost(url, 'nobody.example.org')).status, 200)
    })

    test('[EXP-15] given a link, when the token that requested it expires, then it works for its hour', async (t) => {
      const { link, fixtures, team, statusOf } = await startWithLink(t, kind)
      const { secret } = await fixtures.token(team, { expiresAt: Date.now() + 5 * 60_000 })
      const { url, expiresAt } = await link(secret)
      t.mock.timers.enable({ apis: ['Date'], now: Date.parse(expiresAt) - 1 })
      assert.equal(await statusOf(url), 200)
    })

    test('[EXP-15] given a link, when its document is deleted, then it ends with 410', async (t) => {
      const { link, database, statusOf, id, readFiles, exportOf } = await startWithLink(t, kind)
      const [{ url }, made] = [await link(), await exportOf(id, 'format=.3dm')]
      await database.transaction((write) =>
        write.deleteFrom('document').where('public_id', '=', id).execute(),
      )
      assert.deepEqual([await statusOf(url), await statusOf(made.url)], [410, 410])
      assert.deepEqual(
        (await readFiles()).map(({ document_id, solve_id }) => [document_id, solve_id]),
        [[null, null]],
      )
    })

    test('[EXP-15] given a link, when its document is moved to the bin, then it responds with 410, until the document is restored', async (t) => {
      const { link, database, team, statusOf, id } = await startWithLink(t, kind)
      const { url } = await link()
      const { key } = await database.read
        .selectFrom('document')
        .where('public_id', '=', id)
        .select('id as key')
        .executeTakeFirstOrThrow()
      const { id: user } = await createUserStore(database).createUser({
        name: 'Ann',
        email: 'ann@example.org',
      })
      await changeTeam(database, team.key, (change) => putDocumentIntoBin(change, key, user))
      assert.equal(await statusOf(url), 410)
      const item = await database.read
        .selectFrom('bin_item')
        .where('document_id', '=', key)
        .select('id')
        .executeTakeFirstOrThrow()
      await changeTeam(database, team.key, (change) => restoreFromBin(change, item.id))
      assert.equal(await statusOf(url), 200)
    })

    test('[EXP-17] given a new key, then links of the old one work until they expire, and new links are signed with the new key', async (t) => {
      const { link, database, statusOf } = await startWithLink(t, kind)
      const old = await link()
      const keys = createLinkKeyStore(database)
      const before = await keys.getCurrent()
      await keys.rotate({ endLinks: false })
      const after = await keys.getCurrent()
      assert.notEqual(after.id, before.id)
      const fresh = await link()
      assert.deepEqual([await statusOf(old.url), await statusOf(fresh.url)], [200, 200])
      t.mock.timers.enable({ apis: ['Date'], now: Date.parse(old.expiresAt) - 1 })
      assert.equal(await statusOf(old.url), 200)
      t.mock.timers.setTime(Date.parse(old.expiresAt))
      assert.deepEqual([await statusOf(old.url), await statusOf(fresh.url)], [410, 200])
    })

    test('[EXP-17] given a new key that ends links, then all earlier links end with 410', async (t) => {
      const { link, database, statusOf } = await startWithLink(t, kind)
      const keys = createLinkKeyStore(database)
      const oldest = await link()
      await keys.rotate({ endLinks: false })
      const older = await link()
      await keys.rotate({ endLinks: true })
      const fresh = await link()
      assert.deepEqual(
        await Promise.all([oldest, older, fresh].map(({ url }) => statusOf(url))),
        [410, 410, 200],
      )
    })

    test('[EXP-17] given many processes that start at once, then there is one key', async (t) => {
      const database = await kind.open(t)
      const stores = Array.from({ length: 8 }, () => createLinkKeyStore(database))
      const keys = await Promise.all(stores.map((store) => store.getCurrent()))
      assert.equal(new Set(keys.map(({ id }) => id)).size, 1)
      assert.equal((await database.read.selectFrom('link_key').selectAll().execute()).length, 1)
    })
  })
}
