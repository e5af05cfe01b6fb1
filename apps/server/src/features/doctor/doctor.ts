import { statfs } from 'node:fs/promises'
import { createAuditLog } from '../../audit/audit-log.store.ts'
import { findWrongStore, nameProcess, type ServiceBlobs } from '../../platform/cluster/blob-stores.ts'
import { findTooManyConnections } from '../../platform/cluster/connections.ts'
import { type ProbeAnswer, probeProcesses, readClockAhead } from '../../platform/cluster/probes.ts'
import { listProcesses, type ProcessRecord } from '../../platform/cluster/processes.ts'
import { describeClock, writeLength } from '../../platform/database/clock-record.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { SCHEMA_VERSION } from '../../platform/database/schema/migrations.ts'
import { findFutureTimes } from '../../platform/database/time-columns.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { VERSION } from '../../platform/version.ts'

/** One thing that was examined. */
export interface Finding {
  what: string
  state: 'ok' | 'warning' | 'fault'
  /** What was found: a sentence. */
  says: string
  /** What the operator can do about it; undefined only for `ok`. */
  remedy?: string
}

export interface DoctorParts {
  database: Database
  store: ServiceBlobs
  /** Folders that need free space. */
  folders: readonly string[]
  baseUrl: string | undefined
  /** Connects to the mail server and signs in; undefined where none is configured. */
  verifyMail?: (() => Promise<void>) | undefined
  /** How long a process may take to answer a probe. */
  answerMs?: number
}

const ANSWER_MS = 15_000
const FETCH_MS = 5000
/** The difference of clocks that does no harm: leases and links are compared across them. */
const MAX_SKEW_MS = 2000
const UNFINISHED_AFTER_MS = 60 * 60 * 1000
const MIN_FREE_BYTES = 2 ** 30
const MIN_FREE_SHARE = 0.05

/** Examines a service that may run. Each examination that cannot be made is a fault itself. */
export async function examine(parts: DoctorParts): Promise<Finding[]> {
  const { database } = parts
  const processes = await listProcesses(database)
  const examinations: [what: string, find: () => Promise<Finding[]>][] = [
    ['database', () => examineDatabase(database)],
    ['notifications', () => examineNotifications(database)],
    ['connections', () => examineConnections(database)],
    ['clock', () => examineClock(database)],
    ['blobs', () => examineStore(parts)],
    ['unfinished uploads', () => examineUnfinished(parts)],
    ['processes', async () => examineProcesses(processes)],
    ['blobs of processes', () => examineBlobsOfProcesses(parts, processes)],
    ['base URL', () => examineBaseUrl(parts.baseUrl)],
    ['mail', () => examineMail(parts)],
    ['webhooks', () => examineWebhooks(database)],
    ['audit log', () => examineAuditLog(database)],
    ...parts.folders.map((folder): [string, () => Promise<Finding[]>] => [
      'disk space',
      () => examineSpace(folder),
    ]),
  ]
  const findings: Finding[] = []
  for (const [what, find] of examinations) {
    const found = await find().catch((error): Finding[] => [
      {
        what,
        state: 'fault',
        says: `This could not be examined: ${reasonOf(error)}`,
        remedy: 'Remove the cause, and run the command again.',
      },
    ])
    findings.push(...found)
  }
  return findings
}

const ok = (what: string, says: string): Finding => ({ what, state: 'ok', says })

async function examineDatabase(database: Database): Promise<Finding[]> {
  await database.checkWritable()
  const kind = database.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return [ok('database', `${kind} answers and can be written; its tables have version ${SCHEMA_VERSION}.`)]
}

async function examineNotifications(database: Database): Promise<Finding[]> {
  await database.checkNotifications()
  return [ok('notifications', 'Changes are told from process to process.')]
}

async function examineConnections(database: Database): Promise<Finding[]> {
  const says = await findTooManyConnections(database)
  if (says === undefined) return [ok('connections', 'The database has enough connections for all processes.')]
  const remedy = 'Set it for all processes, and restart them one by one. A pooler in front lets them share.'
  return [{ what: 'connections', state: 'warning', says, remedy }]
}

function judgeClock(what: string, whose: string, aheadMs: number): Finding {
  const off = `${whose} is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the clock of the database.`
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return ok(what, off)
  return {
    what,
    state: 'fault',
    says: off,
    remedy:
      'Let a time service (chrony, systemd-timesyncd) set the clocks of all machines: leases and links depend on them.',
  }
}

async function examineClock(database: Database): Promise<Finding[]> {
  const what = 'clock'
  const { read } = database
  const said = (await describeClock(read)).map(
    (says): Finding => ({ what, state: 'warning', says, remedy: CLOCK_REMEDY }),
  )
  const future = (await findFutureTimes(read, timeOf(read))).map(
    ({ column, count, aheadMs }): Finding => ({
      what: 'times in the future',
      state: 'warning',
      says: `${column}: ${count} lie further ahead than they can, the latest by ${writeLength(aheadMs)}.`,
      remedy: `${CLOCK_REMEDY} docs/clocks.md says what becomes of such times.`,
    }),
  )
  return [judgeClock(what, 'This machine', await readClockAhead(database)), ...said, ...future]
}

const CLOCK_REMEDY = 'Compare the clock of the database with the right time, and let a time service set it.'

async function examineStore({ database, store }: DoctorParts): Promise<Finding[]> {
  await store.blobs.checkWritable()
  const wrong = await findWrongStore(database, store)
  if (wrong !== undefined)
    return [
      { what: 'blobs', state: 'fault', says: wrong, remedy: 'Set MEADOW_BLOBS to the store of the service.' },
    ]
  return [ok('blobs', 'The store of the service answers and can be written.')]
}

async function examineUnfinished({ store }: DoctorParts): Promise<Finding[]> {
  const what = 'unfinished uploads'
  const count = await store.blobs.countUnfinished(Date.now() - UNFINISHED_AFTER_MS)
  if (count === undefined) return [ok(what, 'The file store does not list them.')]
  if (count === 0) return [ok(what, 'There are none.')]
  return [
    {
      what,
      state: 'warning',
      says: `${count} began more than an hour ago and take space: their processes have probably been killed.`,
      remedy: 'Nothing needs to be done. They are removed when a process starts, a day after they began.',
    },
  ]
}

function examineProcesses(processes: readonly ProcessRecord[]): Finding[] {
  const findings = processes.map((one) =>
    ok(
      'process',
      `${nameProcess(one)} runs Meadow ${one.version}, seen ${Math.round(one.silentMs / 1000)} s ago.`,
    ),
  )
  if (processes.length === 0) findings.push(ok('process', 'No process of the service runs.'))
  const others = processes.filter(
    ({ version, schemaVersion }) => version !== VERSION || schemaVersion !== SCHEMA_VERSION,
  )
  if (others.length > 0) {
    findings.push({
      what: 'versions',
      state: 'warning',
      says: `These processes run another version than this command (${VERSION}): ${others.map(nameProcess).join(', ')}.`,
      remedy: 'Restart them with this version, unless an upgrade is under way.',
    })
  }
  const secrets = new Set(processes.flatMap(({ secretFingerprint }) => secretFingerprint ?? []))
  if (secrets.size > 1) {
    findings.push({
      what: 'secrets',
      state: 'fault',
      says: 'Servers sign cookies with different secrets: people are signed out by every other request.',
      remedy: 'Set MEADOW_SESSION_SECRET to the same value for all servers, and restart them.',
    })
  } else if (secrets.size === 1)
    findings.push(ok('secrets', 'All servers sign cookies with the same secret.'))
  return findings
}

/** Asks every process that serves or solves whether it sees metadata that is written now. */
async function examineBlobsOfProcesses(
  { database, store, answerMs = ANSWER_MS }: DoctorParts,
  processes: readonly ProcessRecord[],
): Promise<Finding[]> {
  const asked = processes.filter(({ kind }) => kind !== 'command')
  if (asked.length === 0) return []
  const ids = asked.map(({ id }) => id)
  const answers = await probeProcesses(database, store.blobs, ids, answerMs)
  return asked.flatMap((one) => judgeAnswer(nameProcess(one), answers.get(one.id)))
}

function judgeAnswer(name: string, answer: ProbeAnswer | undefined): Finding[] {
  const what = 'blobs of processes'
  if (!answer) {
    const remedy = 'Look at its log. A process that was killed is forgotten within a minute.'
    return [{ what, state: 'fault', says: `${name} does not answer.`, remedy }]
  }
  const clock = judgeClock('clock', `The clock of ${name}`, answer.clockAheadMs)
  const noticed = (answer.notices ?? []).map((says): Finding => {
    const remedy = 'Restart it when that is done: until then it goes on saying so.'
    return { what: 'proxy', state: 'warning', says: `${name} has noticed: ${says}`, remedy }
  })
  if (answer.blobs === 'visible') return [ok(what, `${name} sees the same files.`), clock, ...noticed]
  const says =
    answer.blobs === 'missing'
      ? `${name} does not see a file that was written here just now.`
      : `${name} cannot read its files: ${answer.blobs.failed}`
  return [
    { what, state: 'fault', says, remedy: 'Give it the same MEADOW_BLOBS, and restart it.' },
    clock,
    ...noticed,
  ]
}

async function examineBaseUrl(baseUrl: string | undefined): Promise<Finding[]> {
  const what = 'base URL'
  if (baseUrl === undefined)
    return [ok(what, 'MEADOW_BASE_URL is not set: links have the address of the request.')]
  const remedy =
    'Compare MEADOW_BASE_URL with the proxy and the name service. From inside a network it may not be reachable.'
  try {
    const response = await fetch(`${baseUrl}/healthz`, {
      signal: AbortSignal.timeout(FETCH_MS),
      redirect: 'manual',
    })
    const text = await response.text()
    if (response.ok && text === '{"status":"ok"}')
      return [ok(what, 'The service answers at MEADOW_BASE_URL.')]
    const says = `Something else than Meadow answers at MEADOW_BASE_URL (status ${response.status}).`
    return [{ what, state: 'fault', says, remedy }]
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return [
      {
        what,
        state: 'fault',
        says: `MEADOW_BASE_URL cannot be reached from here: ${reasonOf(cause)}.`,
        remedy,
      },
    ]
  }
}

async function examineMail({ database, verifyMail }: DoctorParts): Promise<Finding[]> {
  const what = 'mail'
  if (!verifyMail) return [ok(what, 'MEADOW_SMTP_URL is not set: no mails are sent, and links are copied.')]
  const connection = await verifyMail().then(
    () => ok(what, 'The mail server accepts the connection and the user.'),
    (error: unknown): Finding => ({
      what,
      state: 'fault',
      says: `No mails are sent: ${reasonOf(error)}`,
      remedy: 'Correct MEADOW_SMTP_URL, or repair the mail server. Mails wait for some days.',
    }),
  )
  const { failed } = await database.read
    .selectFrom('mail')
    .where('state', '=', 'failed')
    .select(({ fn }) => fn.countAll().as('failed'))
    .executeTakeFirstOrThrow()
  if (Number(failed) === 0) return [connection]
  const says = `Mails of the last days that were given up: ${failed}.`
  return [
    connection,
    { what, state: 'warning', says, remedy: 'See why with "meadow-server mail list --failed".' },
  ]
}

/** This many deliveries wait only where no server runs, or most receivers are dead. */
const MANY_DELIVERIES = 1000

async function examineWebhooks({ read }: Pick<Database, 'read'>): Promise<Finding[]> {
  const what = 'webhooks'
  const { waiting } = await read
    .selectFrom('webhook_delivery')
    .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
    .where('webhook.state', '=', 'enabled')
    .where('webhook_delivery.state', '=', 'waiting')
    .select(({ fn }) => fn.countAll().as('waiting'))
    .executeTakeFirstOrThrow()
  const { failing } = await read
    .selectFrom('webhook')
    .where('state', '=', 'enabled')
    .where('failing_since', 'is not', null)
    .select(({ fn }) => fn.countAll().as('failing'))
    .executeTakeFirstOrThrow()
  const { homeless } = await read
    .selectFrom('webhook')
    .leftJoin('folder', 'folder.id', 'webhook.folder_id')
    .where('webhook.state', '=', 'enabled')
    .where('webhook.is_limited', '=', 1)
    .where(({ or, eb }) => or([eb('folder.id', 'is', null), eb('folder.bin_id', 'is not', null)]))
    .select(({ fn }) => fn.countAll().as('homeless'))
    .executeTakeFirstOrThrow()
  const counts = `Deliveries to webhooks that wait: ${waiting}. Webhooks that fail at the moment: ${failing}.`
  const says =
    Number(homeless) === 0
      ? counts
      : `${counts} Webhooks that are told of nothing, since their folder was deleted: ${homeless}.`
  if (Number(waiting) < MANY_DELIVERIES) return [ok(what, says)]
  const remedy =
    'See which with "meadow-server webhooks list". A running server sends them; it may need a way to the receivers.'
  return [{ what, state: 'warning', says, remedy }]
}

/** Examines only the last events, because `meadow-server audit verify` takes a while. */
async function examineAuditLog(database: Database): Promise<Finding[]> {
  const what = 'audit log'
  const log = createAuditLog(database)
  const findings: Finding[] = []
  for (const { id } of await log.listChains()) {
    const { broken } = await log.verify(id, { last: EXAMINED_EVENTS })
    if (broken)
      findings.push({
        what,
        state: 'fault',
        says: `The chain "${id}" is broken at event ${broken.seq}: ${broken.reason}.`,
        remedy:
          'Compare "meadow-server audit verify" with an export or a backup, and find out who has changed the database.',
      })
  }
  if (findings.length > 0) return findings
  return [ok(what, 'The last events of each chain are as they were recorded.')]
}

const EXAMINED_EVENTS = 1000

async function examineSpace(folder: string): Promise<Finding[]> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = bavail * bsize
  const says = `${(free / 2 ** 30).toFixed(1)} GB are free in ${folder}.`
  if (free >= Math.min(MIN_FREE_BYTES, MIN_FREE_SHARE * blocks * bsize)) return [ok('disk space', says)]
  const remedy = 'Make room, or move the files with "meadow-server blobs move".'
  return [{ what: 'disk space', state: 'fault', says, remedy }]
}
