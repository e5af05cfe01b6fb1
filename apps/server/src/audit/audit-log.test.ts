import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuditEntry } from '@meadow/contract/web'
import { sql } from 'kysely'
import { createUserStore } from '../access/users.store.ts'
import type { PortableValue } from '../platform/database/columns.ts'
import type { Database } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { BACKED_UP } from '../platform/database/transfer/backed-up-tables.ts'
import { describeTable, readRows } from '../platform/database/transfer/read-table.ts'
import { suspendConstraints } from '../platform/database/transfer/suspend-constraints.ts'
import { writeTables } from '../platform/database/transfer/write-tables.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { createTeam, renameTeam } from '../team/teams.ts'
import { atEnd } from '../testing/at-end.ts'
import { DATABASES } from '../testing/databases.ts'
import { createCommandLine, noLauncher } from '../testing/meadow-server.ts'
import { startWebApp } from '../testing/start-web-app.ts'
import { until } from '../testing/until.ts'
import { createAuditLog } from './audit-log.store.ts'
import { purgeAuditLog, recordEvent } from './record-event.ts'

/** Makes events of two teams and of the service. */
async function given(database: Database) {
  const teams = [
    await createTeam(database, { name: 'A' }),
    await createTeam(database, { name: 'B' }),
  ] as const
  await createUserStore(database).createUser({ email: 'ann@example.org', name: 'Ann' })
  for (const { key } of teams) {
    await database.transaction(async (write) => {
      for (let n = 0; n < 4; n++) recordEvent(write, { action: 'token.created', team: key, details: { n } })
    })
  }
  return teams
}

/** Changes the database as someone does who takes the triggers away. */
const tamper = (database: Database, statement: string) =>
  database.transaction(async (write) => {
    const resume = await suspendConstraints(write, database.dialect)
    await sql.raw(statement).execute(write)
    await resume()
  })

async function transfer(from: Database, to: Database): Promise<void> {
  await from.snapshot(async (snapshot) => {
    const tables = []
    for (const name of BACKED_UP) {
      const table = (await describeTable(from, name))!
      const rows: PortableValue[][][] = []
      for await (const some of readRows(snapshot, table)) rows.push(some)
      tables.push({
        ...table,
        rows: async function* () {
          yield* rows
        },
      })
    }
    await writeTables(to, tables)
  })
}

for (const kind of DATABASES) {
  describe(`the audit log on ${kind.name}`, kind.options, () => {
    test('[AUD-8] given whole chains, when an event is changed, removed or put in between, or the end is cut off, then the first such event is named', async (t) => {
      const tampered = [
        ["update audit_event set actor_name = 'someone' where seq = 3 and chain = ", 3, /changed/],
        ['delete from audit_event where seq = 2 and chain = ', 2, /missing/],
        ['delete from audit_event where seq >= 4 and chain = ', 4, /missing/],
        ['update audit_event set seq = -seq where seq in (2, 3) and chain = ', 2, /missing/],
      ] as const
      for (const [statement, seq, reason] of tampered) {
        const database = await kind.open(t)
        const [team, other] = await given(database)
        const log = createAuditLog(database)
        assert.deepEqual((await log.verify(team.id)).broken, undefined)
        assert.ok((await log.verify(team.id)).events > 4)
        await tamper(database, `${statement}'${team.id}'`)
        const { broken } = await log.verify(team.id)
        assert.equal(broken?.seq, seq, statement)
        assert.match(broken!.reason, reason)
        assert.equal((await log.verify(other.id)).broken, undefined)
      }
    })

    test('[AUD-8] given whole chains, when events are put before or after them, or they are marked as removed, then that is found, though the hashes are right; a team that is deleted for good is none of it', async (t) => {
      const copy = (seq: string) =>
        `insert into audit_event (chain, seq, at, action, actor_kind, actor_name, hash)
          select chain, ${seq}, at, action, actor_kind, 'someone', hash from audit_event where seq = 1 and chain = `
      const tampered = [
        [[copy('0')], 0, /not a part of the chain/],
        [[copy('-7')], -7, /not a part of the chain/],
        [[copy('99')], 99, /not a part of the chain/],
        [
          ['update audit_chain set purged_at = 1 where id = ', 'delete from audit_event where chain = '],
          1,
          /the chain of the service does not say so/,
        ],
        [['update audit_chain set purged_at = 1 where id = '], 1, /not a part of the chain/],
      ] as const
      for (const [statements, seq, reason] of tampered) {
        const database = await kind.open(t)
        const [team, other] = await given(database)
        // None of these needs the triggers to be taken away.
        for (const statement of statements)
          await database.transaction(async (write) => {
            await sql.raw(`${statement}'${team.id}'`).execute(write)
          })
        const log = createAuditLog(database)
        const { broken } = await log.verify(team.id)
        assert.equal(broken?.seq, seq, statements[0])
        assert.match(broken!.reason, reason)
        assert.equal((await log.verify(other.id, { last: 2 })).broken, undefined)
        await database.transaction((write) => purgeAuditLog(write, { id: other.id, name: 'B' }))
        const purged = await log.verify(other.id)
        assert.equal(purged.broken, undefined)
        assert.notEqual(purged.purgedAt, null)
      }
    })

    test('[AUD-8] given chains, when their rows are written to a fresh database of either kind, then they are whole there, and go on', async (t) => {
      const from = await kind.open(t)
      const [team] = await given(from)
      for (const other of DATABASES.filter(({ options }) => !options.skip)) {
        const to = await other.open(t)
        await transfer(from, to)
        const [ours, theirs] = [createAuditLog(from), createAuditLog(to)]
        for (const { id } of await ours.listChains())
          assert.deepEqual(await theirs.readChain(id, 0, {}, 100), await ours.readChain(id, 0, {}, 100))
        await to.transaction(async (write) => recordEvent(write, { action: 'command.run', team: team.key }))
        for (const { id } of await theirs.listChains())
          assert.equal((await theirs.verify(id)).broken, undefined, id)
      }
    })

    test('[AUD-7] given two teams, when owners and others read and download the log of one, then only its owners get it, with the sign-ins of its members and nothing of the other team', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const other = await fixtures.team('Other')
      const owner = await signIn('Olga', 'owner')
      const ann = await signIn('Ann', 'member')
      const stranger = await signIn('Sam', 'owner', other)
      for (let n = 0; n < 60; n++)
        await changeTeam(database, team.key, (change) => renameTeam(change, `=Acme ${n}`))
      await changeTeam(database, other.key, (change) => renameTeam(change, 'Secret'))
      const path = `/teams/${team.id}/audit`
      assert.equal((await ann.get(path)).status, 403)
      assert.equal((await stranger.get(path)).status, 404)
      const all: AuditEntry[] = []
      let after = ''
      for (;;) {
        const { status, json } = await owner.get(path + after)
        assert.equal(status, 200)
        all.push(...json.events)
        if (json.next === null) break
        assert.equal(json.events.length, 50)
        after = `?after=${encodeURIComponent(json.next)}`
      }
      assert.equal(new Set(all.map(({ chain, seq }) => `${chain} ${seq}`)).size, all.length)
      for (const [index, { at }] of all.entries()) if (index > 0) assert.ok(at <= all[index - 1]!.at)
      assert.equal(all.filter(({ action }) => action === 'team.settings_changed').length, 60)
      assert.ok(all.some(({ action, thing }) => action === 'sign_in.succeeded' && thing?.id === ann.userId))
      const text = JSON.stringify(all)
      for (const foreign of ['Secret', other.id, stranger.userId]) assert.ok(!text.includes(foreign), foreign)
      const some = (await owner.get(`${path}?person=${ann.userId}&action=member.added`)).json.events
      assert.deepEqual(
        some.map(({ action, thing }: AuditEntry) => [action, thing?.id]),
        [['member.added', ann.userId]],
      )
      assert.deepEqual((await owner.get(`${path}?since=2100-01-01T00:00:00Z`)).json.events, [])
      assert.equal((await owner.get(`${path}?until=x`)).status, 400)

      const lines = await owner.request('POST', `${path}/downloads`, { format: 'jsonl' })
      assert.deepEqual(
        lines.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
        all,
      )
      const action = 'team.settings_changed'
      const csv = await owner.request('POST', `${path}/downloads`, { format: 'csv', action })
      assert.equal(csv.text.trim().split('\r\n').length, 61)
      const [newest] = (await owner.get(path)).json.events
      assert.deepEqual(
        [newest.action, newest.actor.name, newest.details],
        ['audit.downloaded', owner.email, { events: 60, format: 'csv' }],
      )
      assert.equal((await ann.request('POST', `${path}/downloads`, { format: 'csv' })).status, 403)
    })
  })
}

describe('commands of the audit log', { skip: noLauncher }, () => {
  test('[AUD-8, AUD-9] given events, when they are listed, exported, followed and verified, then each has what was asked for, and a changed one is found, also by the doctor', async (t) => {
    const { run, json, start, dataDir } = await createCommandLine(t)
    const { id } = await json('team', 'create', 'Acme')
    await json('team', 'create', 'Other')
    const { events } = await json('audit', 'list', '--team', id)
    assert.deepEqual(
      events.map(({ action }: { action: string }) => action),
      ['team.created'],
    )
    assert.match(
      (await run('audit', 'list', '--action', 'command.run')).stdout,
      /command\.run \(meadow-server team create\)/,
    )
    const exported = (await run('audit', 'export', '--service')).stdout.trim().split('\n')
    assert.deepEqual(
      exported.map((line) => JSON.parse(line).seq),
      exported.map((_, index) => index + 1),
    )
    const following = start('audit', 'export', '--team', id, '--follow')
    await following.wrote('stdout', 'team.created')
    await run('token', 'create', '--team', id, '--name', 'Followed')
    await following.wrote('stdout', 'Followed')
    following.kill('SIGTERM')
    assert.equal((await following.finished).code, 143)

    assert.equal((await run('audit', 'verify')).code, 0)
    const database = await openDatabase({ dataDir })
    atEnd(t, () => database.close())
    await tamper(database, `update audit_event set at = 1 where seq = 1 and chain = '${id}'`)
    const verified = await run('audit', 'verify')
    assert.equal(verified.code, 1)
    assert.match(verified.stdout, new RegExp(`${id}: broken at event 1: it was changed`))
    const { findings } = await until('the doctor is done', async () =>
      JSON.parse((await run('doctor', '--json')).stdout),
    )
    const faults = findings.filter(
      ({ what, state }: Record<string, string>) => what === 'audit log' && state === 'fault',
    )
    assert.equal(faults.length, 1)
  })
})
