import type { AuditFormat } from '@meadow/contract/terms'
import { type AuditEntry, downloadAuditEvents, listAuditEvents } from '@meadow/contract/web'
import { changeTeamFor } from '../../access/current-roles.ts'
import type { AuditFilter, AuditLog, AuditPlace } from '../../audit/audit-log.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database } from '../../platform/database/database.ts'

export interface AuditLogParts {
  log: Pick<AuditLog, 'listOfTeam'>
  database: Database
}

const PAGE = 50
const MAX_DOWNLOADED = 50_000
/** What an entry takes in memory, roughly. */
const ENTRY_BYTES = 1000

export const auditLogRoutes = ({ log, database }: AuditLogParts) => [
  serveApp(listAuditEvents, async ({ access, query }) => {
    const after = readPlace(query.after)
    const team = { key: access.team, id: access.teamId }
    const { entries, next } = await log.listOfTeam(team, readFilter(query), { after, limit: PAGE })
    return { events: entries, next: next ? `${next.at} ${next.chain} ${next.seq}` : null }
  }),

  serveApp(downloadAuditEvents, async ({ access, body, actor, quota }) => {
    const filter = readFilter(body)
    await quota.reserve(MAX_DOWNLOADED * ENTRY_BYTES)
    const team = { key: access.team, id: access.teamId }
    const { entries } = await log.listOfTeam(team, filter, { limit: MAX_DOWNLOADED })
    await changeTeamFor(database, actor, async (change) =>
      change.record({ action: 'audit.downloaded', details: { events: entries.length, format: body.format } }),
    )
    return Buffer.from(FORMATS[body.format](entries))
  }),
]

type SentFilter = Omit<AuditFilter, 'since' | 'until'> & {
  since?: string | undefined
  until?: string | undefined
}

const readFilter = ({ person, action, since, until }: SentFilter): AuditFilter => ({
  // PostgreSQL rejects it, and no id contains it.
  person: person?.replaceAll('\0', ''),
  action,
  since: readTime(since),
  until: readTime(until),
})

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new HttpError('audit_time_not_acceptable')
  return at
}

/** Anything that is no place gives the first page. */
function readPlace(text: string | undefined): AuditPlace | undefined {
  const [, at, chain, seq] = /^(\d{1,15}) (service|team_\w{1,40}) (\d{1,15})$/.exec(text ?? '') ?? []
  return chain === undefined ? undefined : { at: Number(at), chain, seq: Number(seq) }
}

const FORMATS: Record<AuditFormat, (entries: readonly AuditEntry[]) => string> = {
  jsonl: (entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  csv: (entries) =>
    [HEADER, ...entries.map(toCells)].map((cells) => `${cells.map(quote).join(',')}\r\n`).join(''),
}

const HEADER = [
  ...['at', 'action', 'actor_kind', 'actor_id', 'actor_name', 'address', 'session', 'token', 'request'],
  ...['thing_kind', 'thing_id', 'thing_name', 'details', 'chain', 'seq', 'hash'],
]

const toCells = (entry: AuditEntry): (string | null)[] => {
  const { actor, thing, details } = entry
  return [
    ...[entry.at, entry.action, actor.kind, actor.id, actor.name],
    ...[entry.address, entry.session, entry.token, entry.request],
    ...[thing?.kind ?? null, thing?.id ?? null, thing?.name ?? null],
    ...[details && JSON.stringify(details), entry.chain, String(entry.seq), entry.hash],
  ]
}

/** A cell of CSV. What a spreadsheet would take for a formula begins with an apostrophe. */
function quote(cell: string | null): string {
  const text = cell ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
