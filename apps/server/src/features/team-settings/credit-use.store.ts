import type { DocumentId } from '@meadow/contract'
import {
  CREDIT_DAY_DOCUMENTS,
  CREDIT_DOCUMENTS,
  CREDIT_FORECAST_DAYS,
  type TeamCreditUse,
} from '@meadow/contract/web'
import type { SolveCause } from '@meadow/contract/web/terms'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { type CalendarDay, listDays } from './calendar-days.ts'

export interface CreditUseQuery {
  /** The number of days, today included. */
  days: number
  zone: string
  /** The current time in milliseconds since 1970. */
  now: number
}

/** Reads what spent a team's credits. */
export interface CreditUseStore {
  /** Resolves with undefined for a time zone that this machine does not know. */
  read(team: TeamKey, query: CreditUseQuery): Promise<TeamCreditUse | undefined>
}

/** A row of the one statement: of a day, a document, a document on a day, or of the team. */
interface UseRow {
  part: 'day' | 'document' | 'cell' | 'team'
  /** The number of the day in the list; in the row of the team, when its first solve was paid for, in milliseconds. */
  day: number | string | null
  document_id: DocumentId | null
  /** Null when the document was deleted permanently. */
  name: string | null
  there: number | null
  /** The spent tenths of a credit; those left in the row of the team. `asked` and `automatic` divide them by cause. */
  tenths: number | string
  asked: number | string
  automatic: number | string
  /** The number of solves; in the row of the team, how many documents spent credits. */
  solves: number | string
}

export function createCreditUseStore({ read }: Pick<Database, 'read'>): CreditUseStore {
  return {
    async read(team, { days: count, zone, now }) {
      const all = listDays(Math.max(count, CREDIT_FORECAST_DAYS + 1), zone, now)
      if (!all) return undefined
      const shown = all.length - count
      const rows = await read
        .selectFrom(selectUse(team, all, shown).as('used'))
        .selectAll('used')
        .execute()
      return toCreditUse(rows, { all, shown, zone })
    },
  }
}

/**
 * Selects all sums in one statement, so that they are of the same moment. Each day is a range of the index
 * `credit_entry_use`, so the lengths of days do not matter.
 */
function selectUse(team: TeamKey, days: readonly CalendarDay[], shown: number) {
  const list = days.map(
    ({ since, until }, day) =>
      sql`(cast(${day} as integer), cast(${since} as bigint), cast(${until} as bigint))`,
  )
  return sql<UseRow>`(
    with day (day, since, until) as (values ${sql.join(list)}),
    part as (
      select day.day, entry.document_id, -sum(entry.credit_tenths) as tenths, ${spentBy('asked')} as asked,
        ${spentBy('automatic')} as automatic, count(*) as solves
      from day join credit_entry as entry
        on entry.team_id = ${team} and entry.at >= day.since and entry.at < day.until
      where entry.document_id is not null and entry.credit_tenths < 0
      group by day.day, entry.document_id
    ),
    document_use as (
      select document_id, ${SUMS} from part
      where day >= ${shown} group by document_id
    ),
    listed as (select * from document_use order by tenths desc, document_id limit ${CREDIT_DOCUMENTS}),
    first as (select document_id from document_use order by tenths desc, document_id limit ${CREDIT_DAY_DOCUMENTS})
    select 'day' as part, day, null as document_id, null as name, null as there,
      ${SUMS}
    from part group by day
    union all
    select 'document', null, listed.document_id, document.name,
      case when document.bin_id is null then document.id end, listed.tenths,
      listed.asked, listed.automatic, listed.solves
    from listed left join document on document.public_id = listed.document_id and document.team_id = ${team}
    union all
    select 'cell', day, document_id, null, null, tenths, asked, automatic, solves
    from part where day >= ${shown} and document_id in (select document_id from first)
    union all
    select 'team', (select min(at) from credit_entry where team_id = ${team} and document_id is not null), null, null,
      null, team.credit_tenths, 0, 0, (select count(*) from document_use)
    from team where team.id = ${team})`
}

/** Sums what the solves of a cause spent on a day. */
const spentBy = (cause: SolveCause) =>
  sql`sum(case when entry.cause = ${sql.lit(cause)} then -entry.credit_tenths else 0 end)`

const SUMS = sql`sum(tenths) as tenths, sum(asked) as asked, sum(automatic) as automatic, sum(solves) as solves`

function toCreditUse(
  rows: readonly UseRow[],
  { all, shown, zone }: { all: readonly CalendarDay[]; shown: number; zone: string },
): TeamCreditUse {
  const ofTeam = rows.find(({ part }) => part === 'team')
  const byDay = new Map(rows.filter(({ part }) => part === 'day').map((row) => [Number(row.day), row]))
  const documents = rows
    .filter(({ part }) => part === 'document')
    .map((row) => ({
      documentId: row.document_id!,
      documentName: row.name ?? '',
      isThere: row.there !== null,
      ...toSums(row),
    }))
    .sort((a, b) => b.tenths - a.tenths || (a.documentId < b.documentId ? -1 : 1))
  const position = new Map(
    documents.slice(0, CREDIT_DAY_DOCUMENTS).map(({ documentId }, index) => [documentId, index]),
  )
  const cells = all.map(() => new Array<number>(position.size).fill(0))
  for (const { part, day, document_id, tenths } of rows)
    if (part === 'cell') cells[Number(day)]![position.get(document_id!)!] = Number(tenths)
  const days = all.map(({ day }, number) => ({
    day,
    ...toSums(byDay.get(number)),
    byDocument: cells[number]!,
  }))
  const first = ofTeam?.day ?? null
  const isSince = (day: CalendarDay) => first !== null && day.until > Number(first)
  const period = days.slice(shown)
  return {
    zone,
    left: Number(ofTeam?.tenths ?? 0),
    ...sumUse(period),
    days: period,
    documents,
    documentCount: Number(ofTeam?.solves ?? 0),
    before: days
      .slice(0, -1)
      .slice(-CREDIT_FORECAST_DAYS)
      .filter((_, number, { length }) => isSince(all[all.length - 1 - length + number]!))
      .map(({ tenths }) => tenths),
  }
}

type Sums = Pick<UseRow, 'tenths' | 'asked' | 'automatic' | 'solves'>

/** PostgreSQL's sums are texts. */
const toSums = ({ tenths, asked, automatic, solves }: Sums = NO_SUMS) => ({
  tenths: Number(tenths),
  asked: Number(asked),
  automatic: Number(automatic),
  solves: Number(solves),
})

const NO_SUMS = { tenths: 0, asked: 0, automatic: 0, solves: 0 }

const sumUse = (days: readonly ReturnType<typeof toSums>[]) =>
  days.reduce(
    (sum, day) => ({
      tenths: sum.tenths + day.tenths,
      asked: sum.asked + day.asked,
      automatic: sum.automatic + day.automatic,
      solves: sum.solves + day.solves,
    }),
    NO_SUMS,
  )
