import type { SolutionId, WebhookMessage, WebhookMessageType } from '@meadow/contract'
import { API_PREFIX, WEBHOOK_TEST, type WebhookEventType } from '@meadow/contract/terms'
import { beforeCommit } from '../platform/database/commit-hooks.ts'
import type { Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import { prepareInTransactions } from '../platform/database/prepared-queries.ts'
import type { DocumentKey, TeamKey, WebhookDeliveryTable, WebhookKey } from '../platform/database/tables.ts'
import { toTimestamp } from '../platform/database/times.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { UNLEASED } from '../platform/queue.ts'

/** What happened to a document, for the webhooks of its team. */
export type WebhookEvent = { team: TeamKey; document: DocumentKey } & EventFacts

type EventFacts =
  | {
      type: 'document.solved'
      solution: { id: SolutionId; durationMs: number; isComplete: boolean | null }
    }
  | { type: 'document.failed'; solution: { id: SolutionId; reason: string } }
  | { type: 'document.changed' }
  | { type: 'document.imported'; import: { outcome: 'created' | 'updated'; fileName: string } }
  | { type: 'document.version_named'; version: { id: string; name: string } }

const DAY_MS = 24 * 3600 * 1000

/** How long a message is tried, from when it was queued or replayed. */
export const TRIED_MS = 3 * DAY_MS

/** A change is announced once its document has been quiet for this long, or has changed for `LONGEST_BURST_MS`. */
const QUIET_MS = 5000
const LONGEST_BURST_MS = 60_000

const noted = new WeakMap<Write, WebhookEvent[]>()

/**
 * Queues a message to each webhook of the team that asks for such events, in the transaction of what happened: it is
 * delivered if and only if that is committed. The rows are written when the transaction has done everything else, and
 * describe the document as it is then. Changes of a document whose message is not sent yet share that message.
 */
export function enqueueEvent(write: Write, event: WebhookEvent): void {
  const earlier = noted.get(write)
  if (earlier) return void earlier.push(event)
  const events = [event]
  beforeCommit(write, () => queue(write, events))
  noted.set(write, events)
}

async function queue(write: Write, events: readonly WebhookEvent[]): Promise<void> {
  noted.delete(write)
  const webhooks: Taker[] = []
  for (const team of new Set(events.map((event) => event.team)))
    webhooks.push(...(await listEnabled(write, { team })))
  if (webhooks.length === 0) return
  const wanted = events.flatMap((event) => {
    const takers = webhooks.filter((one) => one.team === event.team && one.events.includes(`,${event.type},`))
    return takers.length > 0 ? [{ event, takers }] : []
  })
  const subjects = await findSubjects(
    write,
    wanted.map(({ event }) => event.document),
  )
  const now = timeOf(write)
  const rows = wanted.flatMap(({ event, takers }) => {
    const subject = subjects.get(event.document)
    if (!subject) return []
    const message = describe(event, subject, now)
    return takers
      .filter((taker) => isInItsFolder(subject, taker))
      .map(({ id }) => toRow(message, { webhook: id, team: event.team, about: subject.name, now }))
  })
  await insertDeliveries(write, mergeRows(rows))
}

/** Compiled once, since nearly every write of the service asks it. */
const listEnabled = prepareInTransactions((write, { team }: { team: TeamKey }) =>
  write
    .selectFrom('webhook')
    .leftJoin('folder', (join) =>
      join.onRef('folder.id', '=', 'webhook.folder_id').on('folder.bin_id', 'is', null),
    )
    .where('webhook.team_id', '=', team)
    .where('webhook.state', '=', 'enabled')
    .orderBy('webhook.id')
    .select([
      'webhook.id',
      'webhook.team_id as team',
      'webhook.events',
      'webhook.is_limited as isLimited',
      'folder.path as folderPath',
    ]),
)

type Taker = Awaited<ReturnType<typeof listEnabled>>[number]

/** Whether the document is in or below the folder that a webhook is limited to; true if it is not limited. */
const isInItsFolder = (document: Subject, { isLimited, folderPath }: Taker): boolean =>
  isLimited === 0 || (folderPath !== null && document.folderPath.startsWith(folderPath))

/** Finds what messages say of the documents. */
async function findSubjects(write: Write, documents: readonly DocumentKey[]) {
  const rows = []
  for (const keys of inBatches([...new Set(documents)]))
    rows.push(
      ...(await write
        .selectFrom('document')
        .innerJoin('folder', 'folder.id', 'document.folder_id')
        .innerJoin('team', 'team.id', 'document.team_id')
        .where('document.id', 'in', keys)
        .select([
          'document.id as key',
          'document.public_id as id',
          'document.name',
          'document.updated_at as updatedAt',
          'folder.public_id as folderId',
          'folder.path as folderPath',
          'team.public_id as teamId',
          'team.name as teamName',
        ])
        .execute()),
    )
  return new Map(rows.map(({ key, ...subject }) => [key, subject]))
}

type Subject = Awaited<ReturnType<typeof findSubjects>> extends Map<DocumentKey, infer One> ? One : never

function describe(event: WebhookEvent, subject: Subject, now: number): WebhookMessage {
  const { type, team: _, document: __, ...facts } = event
  const { id, name, folderId, updatedAt, teamId, teamName } = subject
  const document = `${API_PREFIX}/documents/${id}`
  const links = 'solution' in facts ? { document, solution: `${document}/solution` } : { document }
  return {
    type,
    timestamp: toTimestamp(now),
    data: {
      team: { id: teamId, name: teamName },
      document: { id, name, folderId, updatedAt: toTimestamp(updatedAt) },
      ...facts,
      links,
    },
  } as WebhookMessage
}

type DeliveryRow = Omit<WebhookDeliveryTable, 'id'>

interface RowFacts {
  webhook: WebhookKey
  team: TeamKey
  about: string | null
  now: number
}

function toRow(message: WebhookMessage, { webhook, team, about, now }: RowFacts): DeliveryRow {
  const type: WebhookMessageType = message.type
  const isMerged = type === 'document.changed'
  return {
    public_id: createPublicId('msg'),
    webhook_id: webhook,
    team_id: team,
    type,
    about,
    body: JSON.stringify(message),
    merge_key: isMerged
      ? `${webhook} ${(message as WebhookMessage<'document.changed'>).data.document.id}`
      : null,
    state: 'waiting',
    created_at: now,
    expires_at: now + TRIED_MS,
    next_at: isMerged ? now + QUIET_MS : now,
    attempts: 0,
    ended_at: null,
    ...UNLEASED,
  }
}

/** Keeps the last of a document's changes in a transaction, in one order, so that two transactions cannot deadlock. */
function mergeRows(rows: readonly DeliveryRow[]): DeliveryRow[] {
  const merged = new Map(rows.map((row, position) => [row.merge_key ?? position, row]))
  const keyOf = ({ merge_key }: DeliveryRow) => merge_key ?? ''
  return [...merged.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}

async function insertDeliveries(write: Write, rows: readonly DeliveryRow[]): Promise<void> {
  for (const some of inBatches(rows))
    await write
      .insertInto('webhook_delivery')
      .values(some)
      .onConflict((conflict) =>
        conflict.column('merge_key').doUpdateSet(({ eb, ref }) => ({
          body: ref('excluded.body'),
          about: ref('excluded.about'),
          next_at: eb
            .case()
            .when('excluded.next_at', '<', eb('webhook_delivery.created_at', '+', LONGEST_BURST_MS))
            .then(ref('excluded.next_at'))
            .else(eb('webhook_delivery.created_at', '+', LONGEST_BURST_MS))
            .end(),
        })),
      )
      .execute()
}

export interface TestedWebhook {
  key: WebhookKey
  id: string
  team: { key: TeamKey; id: string; name: string }
}

/** Queues the message that shows whether a webhook works; returns its id. */
export async function enqueueTest(write: Write, { key, id, team }: TestedWebhook): Promise<string> {
  const now = timeOf(write)
  const message: WebhookMessage<typeof WEBHOOK_TEST> = {
    type: WEBHOOK_TEST,
    timestamp: toTimestamp(now),
    data: { team: { id: team.id, name: team.name }, webhook: { id } },
  }
  const row = toRow(message, { webhook: key, team: team.key, about: null, now })
  await insertDeliveries(write, [row])
  return row.public_id
}

/** The types that a webhook asks for, as they are stored. */
export const writeEventTypes = (types: readonly WebhookEventType[]): string =>
  `,${[...new Set(types)].join(',')},`

export const readEventTypes = (text: string): WebhookEventType[] =>
  text.split(',').filter((type) => type !== '') as WebhookEventType[]
