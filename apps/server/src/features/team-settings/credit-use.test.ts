import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TeamCreditUse } from '@meadow/contract/web'
import type { SolveCause } from '@meadow/contract/web/terms'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { listDays } from './calendar-days.ts'
import { createCreditUseStore } from './credit-use.store.ts'

interface Spent {
  at: string
  tenths: number
  document: string
  cause?: SolveCause | null
}

const spend = (database: Database, team: TeamKey, spent: readonly Spent[]) =>
  database.transaction((write) =>
    write
      .insertInto('credit_entry')
      .values(
        spent.map(({ at, tenths, document, cause = 'asked' }, i) => ({
          team_id: team,
          at: Date.parse(at),
          credit_tenths: -tenths,
          solution_id: `sol_${i}` as never,
          state: 'solved' as const,
          duration_ms: 10,
          document_id: document as never,
          document_name: 'As it was',
          cause,
        })),
      )
      .execute(),
  )

for (const kind of FEATURE_DATABASES) {
  describe(`the use of credits on ${kind.name}`, kind.options, () => {
    test('[TEAM-9] given solves of three documents, when their costs are read, then they are summed by day and document, of this team alone, and names of deleted documents are gone', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const read = async (query = '?days=7'): Promise<TeamCreditUse> =>
        (await ann.get(`/teams/${team.id}/credits/use${query}`)).json
      const nothing = await read('')
      assert.deepEqual(
        [nothing.zone, nothing.days.length, nothing.tenths, nothing.documents, nothing.before],
        ['UTC', 30, 0, [], []],
      )
      await changeTeam(database, team.key, (change) => addCredits(change, 100))
      const other = await fixtures.team('Other')
      const [tower, gone, binned] = await Promise.all(
        ['Tower', 'Gone', 'Binned'].map((name) => fixtures.document(team, { name })),
      )
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
      await spend(database, team.key, [
        { at: daysAgo(0), tenths: 5, document: tower! },
        { at: daysAgo(0), tenths: 1, document: tower!, cause: null },
        { at: daysAgo(0), tenths: 2, document: gone!, cause: null },
        { at: daysAgo(2), tenths: 3, document: binned!, cause: 'automatic' },
        { at: daysAgo(9), tenths: 40, document: tower! },
      ])
      await spend(database, other.key, [{ at: daysAgo(0), tenths: 1000, document: tower! }])
      await ann.request('DELETE', `/documents/${gone}`)
      await ann.request('DELETE', `/teams/${team.id}/bin`)
      await ann.request('DELETE', `/documents/${binned}`)
      const use = await read()
      assert.deepEqual(
        [use.left, use.tenths, use.asked, use.automatic, use.solves, use.documentCount],
        [1000, 11, 5, 3, 4, 3],
      )
      assert.deepEqual(
        use.documents.map((one) => Object.values(one)),
        [
          [tower, 'Tower', true, 6, 5, 0, 2],
          [binned, 'Binned', false, 3, 0, 3, 1],
          [gone, '', false, 2, 0, 0, 1],
        ],
      )
      assert.deepEqual(use.days.at(-1)!.byDocument, [6, 0, 2])
      assert.deepEqual(
        use.days.map(({ tenths }) => tenths),
        [0, 0, 0, 0, 3, 0, 8],
      )
      assert.deepEqual(
        use.before,
        [40, 0, 0, 0, 0, 0, 0, 3, 0],
        'from the day of the first solve to yesterday',
      )
      const strange = await ann.get(`/teams/${team.id}/credits/use?zone=Mars/Olympus`)
      assert.equal(strange.status, 400)
      assert.match(strange.json.error, /time zone/)
      for (const days of ['0', '91', 'x'])
        assert.equal((await ann.get(`/teams/${team.id}/credits/use?days=${days}`)).status, 400)
    })

    test('[TEAM-9] given a day of 23 hours, when its costs are read in its zone, then solves around midnight are on their days', async (t) => {
      const { team, database } = await startWebApp(t, kind)
      const document = 'doc_0000000000000000'
      await spend(database, team.key, [
        { at: '2026-03-28T22:59:59.999Z', tenths: 1, document },
        { at: '2026-03-28T23:00:00.000Z', tenths: 2, document },
        { at: '2026-03-29T21:59:59.999Z', tenths: 4, document },
        { at: '2026-03-29T22:00:00.000Z', tenths: 8, document },
      ])
      const now = Date.parse('2026-03-30T12:00:00Z')
      const read = async (zone: string) => {
        const use = await createCreditUseStore(database).read(team.key, { days: 3, zone, now })
        return use!.days.map(({ day, tenths }) => `${day} ${tenths}`)
      }
      assert.deepEqual(await read('Europe/Berlin'), ['2026-03-28 1', '2026-03-29 6', '2026-03-30 8'])
      assert.deepEqual(await read('UTC'), ['2026-03-28 3', '2026-03-29 12', '2026-03-30 0'])
    })
  })
}

test('[TEAM-9] given zones far from UTC, when their days are listed, then each begins where the one before ends', () => {
  const now = Date.parse('2026-10-30T11:00:00Z')
  const hours = (zone: string, count: number) =>
    listDays(count, zone, now)!.map(({ since, until }) => (until - since) / 3_600_000)
  assert.deepEqual(listDays(1, 'Pacific/Kiritimati', now)![0]!.day, '2026-10-31')
  assert.deepEqual(listDays(1, 'Pacific/Pago_Pago', now)![0]!.day, '2026-10-30')
  for (const zone of [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Asia/Beirut',
  ]) {
    const days = listDays(90, zone, now)!
    for (const [i, { since }] of days.slice(1).entries()) assert.equal(since, days[i]!.until)
    assert.ok(days.at(-1)!.since <= now && now < days.at(-1)!.until)
  }
  assert.deepEqual(hours('Europe/Berlin', 6), [25, 24, 24, 24, 24, 24])
  assert.equal(
    hours('Australia/Lord_Howe', 30).reduce((sum, one) => sum + one),
    719.5,
  )
  assert.equal(listDays(1, 'Mars/Olympus', now), undefined)
})
