import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { createTeam, renameTeam } from '../team/teams.ts'
import { DATABASES } from '../testing/databases.ts'
import { type AuditRow, FIRST_HASH, hashRow, purgeAuditLog, recordEvent } from './record-event.ts'
import { runIn } from './request-context.ts'

const readChain = (database: Database, chain: string): Promise<AuditRow[]> =>
  database.read.selectFrom('audit_event').where('chain', '=', chain).selectAll().orderBy('seq').execute()

function assertWhole(rows: readonly AuditRow[]): void {
  let hash = FIRST_HASH
  for (const [index, row] of rows.entries()) {
    assert.equal(row.seq, index + 1)
    assert.equal(row.hash, hashRow(hash, row))
    hash = row.hash
  }
}

for (const kind of DATABASES) {
  describe(`events on ${kind.name}`, kind.options, () => {
    test('[AUD-1] given events of transactions, when some are rolled back, then only those of the others are there, with where they come from', async (t) => {
      const database = await kind.open(t)
      const user = { kind: 'user', id: 'usr_1', name: 'ann@example.org' } as const
      await runIn({ actor: user, address: '10.0.0.7', session: 's1', request: 'r1' }, async () => {
        await database.transaction(async (write) =>
          recordEvent(write, {
            action: 'sign_out',
            target: { kind: 'user', name: 'a\0b\ud800' },
            details: { n: 1 },
          }),
        )
        const failing = database.transaction(async (write) => {
          recordEvent(write, { action: 'sign_out' })
          throw new Error('rolled back')
        })
        await assert.rejects(failing, /rolled back/)
      })
      await database.transaction(async (write) => recordEvent(write, { action: 'links.key_rotated' }))
      const [first, second, ...rest] = await readChain(database, 'service')
      assert.deepEqual(rest, [])
      assert.deepEqual(
        { ...first, at: 0, hash: '' },
        {
          ...{ chain: 'service', seq: 1, at: 0, action: 'sign_out', hash: '', token: null },
          ...{ actor_kind: 'user', actor_id: 'usr_1', actor_name: 'ann@example.org', address: '10.0.0.7' },
          ...{ session: 's1', request: 'r1', details: '{"n":1}' },
          ...{ thing_kind: 'user', thing_id: null, thing_name: 'ab\ufffd' },
        },
      )
      assert.deepEqual([second?.action, second?.actor_kind], ['links.key_rotated', 'service'])
      assertWhole([first!, second!])
    })

    test('[AUD-2] given teams whose changes are recorded at once, then each chain is whole, and in the order of its numbers', async (t) => {
      const database = await kind.open(t)

      const teams = await Promise.all(['A', 'B'].map((name) => createTeam(database, { name })))
      const before = await Promise.all(teams.map(({ id }) => readChain(database, id)))
      await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          database.transaction(async (write) => {
            const mine = index % 2 === 0 ? teams : teams.toReversed()
            for (const { key } of mine) recordEvent(write, { action: 'token.created', team: key })
            recordEvent(write, { action: 'command.run' })
          }),
        ),
      )
      for (const [index, { id }] of teams.entries()) {
        const rows = await readChain(database, id)
        assert.equal(rows.length, before[index]!.length + 24)
        assertWhole(rows)
      }
      assertWhole(await readChain(database, 'service'))
    })

    test('[AUD-2] given a transaction that has recorded for one team and goes on, when another team records, then that does not wait', async (t) => {
      const database = await kind.open(t)
      if (database.dialect === 'sqlite') return t.skip('all writes wait for each other there')

      const [a, b] = await Promise.all(['A', 'B'].map((name) => createTeam(database, { name })))
      await database.transaction(async (write) => {
        recordEvent(write, { action: 'token.created', team: a!.key })
        await changeTeam(database, b!.key, (change) => renameTeam(change, 'B2'))
        await database.transaction(async (other) =>
          recordEvent(other, { action: 'token.created', team: a!.key }),
        )
      })
      assertWhole(await readChain(database, a!.id))
    })

    test('[AUD-3] given recorded events, when a statement would change or remove them or set the chain back, then the database refuses', async (t) => {
      const database = await kind.open(t)
      await database.transaction(async (write) => recordEvent(write, { action: 'command.run' }))
      const attempts = [
        "update audit_event set address = '1.1.1.1'",
        'delete from audit_event',
        'update audit_chain set seq = 0',
        'delete from audit_chain',
        ...(database.dialect === 'postgres' ? ['truncate audit_event', 'truncate audit_chain cascade'] : []),
      ]
      for (const attempt of attempts) {
        await assert.rejects(
          database.transaction((write) => sql.raw(attempt).execute(write)),
          /audit log/,
          attempt,
        )
      }
      assertWhole(await readChain(database, 'service'))
    })

    test('[AUD-3] given a team that is deleted for good, when its events are removed, then the chain of the service says so, and nothing can be recorded there any more', async (t) => {
      const database = await kind.open(t)
      const team = await createTeam(database, { name: 'Acme' })
      await database.transaction(async (write) => {
        for (let n = 0; n < 3; n++) recordEvent(write, { action: 'token.created', team: team.key })
      })
      const rows = await readChain(database, team.id)
      await database.transaction(async (write) => {
        recordEvent(write, { action: 'command.run', team: team.key })
        await purgeAuditLog(write, team)
        await write.deleteFrom('folder').where('team_id', '=', team.key).execute()
        await write.deleteFrom('team').where('id', '=', team.key).execute()
      })
      assert.deepEqual(await readChain(database, team.id), [])
      const service = await readChain(database, 'service')
      assertWhole(service)
      const purged = service.find(({ action }) => action === 'audit.purged')!
      assert.equal(purged.thing_id, team.id)
      assert.deepEqual(JSON.parse(purged.details!), { events: rows.length, lastHash: rows.at(-1)!.hash })
      assert.ok(service.some(({ action }) => action === 'command.run'))
    })
  })
}
