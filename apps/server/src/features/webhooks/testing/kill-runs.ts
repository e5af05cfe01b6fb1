import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { deriveKey, seal } from '../../../access/seal.ts'
import { createUserStore } from '../../../access/users.store.ts'
import type { Database } from '../../../platform/database/database.ts'
import { openDatabase } from '../../../platform/database/open-database.ts'
import { getQuota } from '../../../team/quotas.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { createTeam } from '../../../team/teams.ts'
import { listModuleArguments } from '../../../testing/module-arguments.ts'
import { secretUse } from '../delivery-sender.ts'
import { createWebhookSecret } from '../post-message.ts'
import { createWebhook } from '../webhook-changes.ts'

export interface KillRun {
  dataDir: string
  /** Undefined for SQLite, with one server. */
  databaseUrl?: string | undefined
  /** The environment of the processes, beside what the run sets. */
  env: NodeJS.ProcessEnv
  events: number
  kills: number
  /** How many servers share the work. */
  servers: number
  /** The share of requests that the receiver fails, resets or leaves without an answer for a second. */
  hazard: number
  /** Reports progress. */
  onKilled?: ((delivered: number, committed: number) => void) | undefined
}

/** What was found: all of the first three have to be 0. */
export interface KillReport {
  committed: number
  /** Committed events that no request told of. */
  lost: number
  /** Requests whose signature is wrong, or that tell of something that was never committed. */
  forged: number
  /** Events that came under two ids, or ids that came with two bodies. */
  renamed: number
  requests: number
  /** Requests that were answered with success, beyond the first for each event. */
  duplicates: number
  seconds: number
}

const SERVER = fileURLToPath(new URL('../../../../bin/meadow-server.js', import.meta.url))
const PRODUCER = fileURLToPath(new URL('./produce-events.ts', import.meta.url))
const SESSION_SECRET = 'a secret for tests, of thirty-two letters'

/** The longest time between two kills: a server starts in seconds. */
const LONGEST_MS = 60_000

/** Longer than the receiver takes for an answer: without a request for so long, nothing is being sent. */
const IDLE_MS = 1_500

/** As long as the lease of a delivery. */
const MINUTE_MS = 60_000

/**
 * Lets a process make events and servers deliver them, kills all of them again and again at random moments, and compares
 * what was committed with what a receiver got, which fails now and then too.
 */
export async function deliverUnderKills(run: KillRun): Promise<KillReport> {
  const start = performance.now()
  await using opened = await openForRun(run)
  const { database } = opened
  const { team, receiver } = await prepare(opened, run)
  const env = {
    ...run.env,
    MEADOW_DATA_DIR: run.dataDir,
    ...(run.databaseUrl && { DATABASE_URL: run.databaseUrl }),
    MEADOW_SESSION_SECRET: SESSION_SECRET,
    MEADOW_WEBHOOKS_ALLOW: '127.0.0.1',
    ...{ MEADOW_PORT: '0', MEADOW_SOLVE_WORKERS: '0', MEADOW_LOG_LEVEL: 'error' },
  }
  const serve = () => startProcess([SERVER, 'serve'], env)
  const produce = () =>
    startProcess([PRODUCER, run.dataDir, run.databaseUrl ?? '', team.id, String(run.events)], env)
  const countCommitted = async () => (await getQuota(database.read, team.key)).use.documents
  const bringForward = createBringForward(database, receiver)
  /** Waits until so many events are delivered, so that servers are killed while they work, or for a while. */
  const until = async (count: number) => {
    const end = performance.now() + LONGEST_MS
    while (receiver.delivered.size < count && performance.now() < end) {
      await sleep(Math.random() * 40)
      await bringForward()
    }
  }
  const servers = Array.from({ length: run.servers }, serve)
  let producer = produce()
  try {
    for (let kill = 0; kill < run.kills; kill++) {
      await until(receiver.delivered.size + Math.ceil((Math.random() * run.events) / run.kills))
      const victim = kill % servers.length
      await Promise.all([killProcess(servers[victim]!), kill % 3 === 0 ? killProcess(producer) : undefined])
      servers[victim] = serve()
      if (producer.exitCode === null && producer.signalCode !== null) producer = produce()
      run.onKilled?.(receiver.delivered.size, await countCommitted())
    }
    while (receiver.delivered.size < (await countCommitted()) || (await countCommitted()) < run.events) {
      if (performance.now() - receiver.lastAt() > GIVE_UP_MS) break
      await bringForward()
      await sleep(200)
    }
  } finally {
    await Promise.all([...servers, producer].map(killProcess))
    await receiver.close()
  }
  const rows = await database.read.selectFrom('document').select('public_id').execute()
  const committed = new Set<string>(rows.map(({ public_id }) => public_id))
  const { requests, successes } = receiver
  const bodies = Map.groupBy(requests, ({ headers }) => headers['webhook-id']!)
  const ids = Map.groupBy(requests, ({ document }) => document)
  return {
    committed: committed.size,
    lost: [...committed].filter((id) => !receiver.delivered.has(id)).length,
    forged: requests.filter(({ isSigned, document }) => !isSigned || !committed.has(document)).length,
    renamed:
      [...bodies.values()].filter((all) => new Set(all.map(({ body }) => body)).size > 1).length +
      [...ids.values()].filter((all) => new Set(all.map(({ headers }) => headers['webhook-id'])).size > 1)
        .length,
    requests: requests.length,
    duplicates: successes() - receiver.delivered.size,
    seconds: (performance.now() - start) / 1000,
  }
}

/** Without any request for so long, what is missing is lost: servers have started, and leases, rests and retries are over. */
const GIVE_UP_MS = 60_000

/**
 * Returns a function that lets a minute pass for leases, rests and retries when the receiver is idle, so that the run does
 * not wait for them: what is left then belongs to killed servers, or has failed.
 */
function createBringForward(database: Database, { lastAt }: { lastAt(): number }) {
  let idleSince = performance.now()
  return async () => {
    idleSince = Math.max(idleSince, lastAt())
    if (performance.now() - idleSince < IDLE_MS) return
    await database.transaction(async (write) => {
      await write
        .updateTable('webhook_delivery')
        .where('state', '=', 'waiting')
        .set((eb) => ({
          lease_until: eb('lease_until', '-', MINUTE_MS),
          next_at: eb('next_at', '-', MINUTE_MS),
        }))
        .execute()
      await write
        .updateTable('webhook')
        .set((eb) => ({ resume_at: eb('resume_at', '-', MINUTE_MS) }))
        .execute()
    })
    idleSince = performance.now()
  }
}

async function openForRun({ dataDir, databaseUrl }: KillRun) {
  const database = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  return { database, [Symbol.asyncDispose]: () => database.close() }
}

async function prepare({ database }: Awaited<ReturnType<typeof openForRun>>, { hazard }: KillRun) {
  const team = await createTeam(database, { name: 'Torture' })
  const { id: createdBy } = await createUserStore(database).createUser({
    name: 'Ann',
    email: 'ann@example.org',
  })
  const secret = createWebhookSecret()
  const receiver = await startReceiver(hazard, secret)
  const sealed = seal(deriveKey(SESSION_SECRET, 'webhooks'), secretUse(team.id), secret)
  const webhook = { name: 'Hook', url: receiver.url, events: ['document.imported'] as const, folder: null }
  await changeTeam(database, team.key, (change) =>
    createWebhook(change, { ...webhook, secret: sealed, createdBy }),
  )
  return { team, receiver }
}

interface SeenRequest {
  headers: Record<string, string>
  body: string
  document: string
  /** As of its arrival: later, its time would be too long ago. */
  isSigned: boolean
}

function isSigned(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function startReceiver(hazard: number, secret: string) {
  const requests: SeenRequest[] = []
  const delivered = new Set<string>()
  let successes = 0
  let lastAt = performance.now()
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    lastAt = performance.now()
    const document: string = JSON.parse(body).data.document.id
    const headers = request.headers as Record<string, string>
    requests.push({ headers, body, document, isSigned: isSigned(secret, headers, body) })
    const chance = Math.random()
    if (chance < hazard / 3) return void response.writeHead(500).end()
    if (chance < (hazard * 2) / 3) return void request.socket.destroy()
    if (chance < hazard) await sleep(1000)
    if (response.writable && !request.socket.destroyed) {
      delivered.add(document)
      successes++
    }
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ...{ requests, delivered, successes: () => successes, lastAt: () => lastAt },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const startProcess = (args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [...listModuleArguments(), ...args], { env, stdio: 'ignore' })

async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The arguments of the process that makes events. */
export function readTeamArguments([, , dataDir = '', databaseUrl = '', teamId = '', total = '']: string[]) {
  return { dataDir, databaseUrl, teamId, total: Number(total) }
}
