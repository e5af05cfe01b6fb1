import type { LiveDocument } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { rejectOn } from '../../harness/reject-on.ts'
import type { HttpRequest } from '../../harness/request.ts'
import type { NamedServer } from '../parts/cluster.ts'
import { editOnce, open } from './editors.ts'
import { readOne } from './readers.ts'
import { pause, send, sendUntilAnswered } from './requests.ts'
import type { Work } from './work.ts'

const ROUND_MS = 500
/** The longest time in milliseconds until the connection of a removed member is closed, when there is no fault. */
const CUT_OFF_MS = 5000
const EDIT_TIMEOUT_MS = 10_000

/** Takes access away through one server and tries it at all others, repeatedly, until the work ends. */
export async function takeAccessAway(work: Work): Promise<void> {
  const numbers = { next: 1 }
  while (!work.signal.aborted) {
    await revokeToken(work)
    for (const loss of LOSSES) await demoteGuest(work, numbers, loss)
    await pause(ROUND_MS, work.signal)
  }
}

/**
 * Checks that a token that every server has just accepted is refused by every server from the response to its
 * revocation on.
 */
async function revokeToken({ team, servers, ledger, random, signal }: Work): Promise<void> {
  const anywhere = () => random.pick(servers)
  const tokens = `${APP_PREFIX}/teams/${team.id}/tokens`
  const headers = { cookie: team.owner.cookie }
  const json = JSON.stringify({ name: 'short-lived' })
  const created = await sendUntilAnswered(anywhere, { path: tokens, headers, json }, ledger, signal)
  if (created?.status !== 201) return
  const { token, secret } = JSON.parse(created.body.toString())
  const paths = ['/team', '/folders/root', `/documents/${team.unchanged[0]}`].map((path) => API_PREFIX + path)
  const use = (server: NamedServer) =>
    Promise.all(
      paths.map(async (path) => {
        const response = await send(server, { path, headers: { authorization: `Bearer ${secret}` } }, ledger)
        return response?.status
      }),
    )
  // Each server is asked twice, so that the second responses come from caches.
  for (let times = 0; times < 2; times++) await Promise.all(servers.map(use))
  const revocation = { path: `${tokens}/${token.id}`, headers, method: 'DELETE' }
  const revoked = await sendUntilAnswered(anywhere, revocation, ledger, signal)
  // A status other than 204 means that an earlier attempt, whose response was lost, has revoked the token.
  if (!revoked) return
  await Promise.all(
    servers.map(async (server) => {
      const statuses = await use(server)
      if (statuses.includes(200)) ledger.violate('access kept', `${server.name} accepted a revoked token.`)
    }),
  )
  ledger.count('revocations')
}

/** A connection of the guest to one server. */
interface GuestConnection {
  server: NamedServer
  live: LiveDocument
}

/** A way to take access away from a member, and the statuses of their requests afterwards. */
interface Loss {
  count: 'removals' | 'demotions'
  request: Pick<HttpRequest, 'method' | 'json'>
  reads: number
  writes: number
}

const LOSSES: readonly Loss[] = [
  { count: 'removals', request: { method: 'DELETE' }, reads: 404, writes: 404 },
  {
    count: 'demotions',
    request: { method: 'PATCH', json: JSON.stringify({ role: 'viewer' }) },
    ...{ reads: 200, writes: 403 },
  },
]

/**
 * Checks what a member with a connection to every server may do when they were removed, or made a viewer: from the response
 * on, no server does more for them than it should or stores an edit of theirs, and their connections are closed.
 */
async function demoteGuest(work: Work, numbers: { next: number }, loss: Loss): Promise<void> {
  const { team, servers, ledger, random, signal } = work
  const { user, cookie } = team.guest
  await readmitGuest(work)
  const opened = await Promise.all(servers.map((server) => open(work, team.guests.id, server, cookie)))
  try {
    const connections = servers.flatMap((server, index): GuestConnection[] => {
      const live = opened[index]
      return live ? [{ server, live }] : []
    })
    await Promise.all(
      connections.map(async (connection) => {
        const number = numbers.next++
        if (!(await tryEdit(work, connection, number))) ledger.doubt(team.guests.id, nodeOf(team, number))
      }),
    )
    const path = `${APP_PREFIX}/teams/${team.id}/members/${user}`
    const headers = { cookie: team.owner.cookie }
    const request = { path, headers, ...loss.request }
    const answer = sendUntilAnswered(() => random.pick(servers), request, ledger, signal)
    await stirUntil(work, answer)
    if (!(await answer)) return
    // The first connection only listens.
    const [listener, ...editors] = connections
    await Promise.all([
      listener && expectCutOff(work, listener),
      ...editors.map(async (editor) => {
        const number = numbers.next++
        ledger.forbid(team.guests.id, nodeOf(team, number), number)
        if (await tryEdit(work, editor, number))
          ledger.violate('access kept', `${editor.server.name} stored an edit of a member without access.`)
      }),
      ...servers.map((server) => expectRefusal(work, server, loss)),
    ])
    // An edit may be stored although its connection was closed before it was acknowledged.
    for (const server of servers) await readOne(work, server, team.guests.id)
    ledger.permit()
    ledger.count(loss.count)
  } finally {
    for (const live of opened) live?.close()
  }
}

async function expectRefusal({ team, ledger }: Work, server: NamedServer, loss: Loss): Promise<void> {
  const path = `${APP_PREFIX}/documents/${team.guests.id}`
  const { cookie } = team.guest
  const json = JSON.stringify({ name: 'Taken over' })
  const write = { path, headers: { cookie }, json, method: 'PATCH' }
  for (const [request, expected] of [
    [{ path, headers: { cookie } }, loss.reads],
    [write, loss.writes],
  ] as const) {
    const response = await send(server, request, ledger)
    if (response && response.status !== expected)
      ledger.violate(
        'access kept',
        `${server.name} answered a member without access with ${response.status}, not ${expected}.`,
      )
  }
}

/** Makes the guest a member, directly in the database, which may be at fault. */
async function readmitGuest({ team, signal }: Work): Promise<void> {
  while (!signal.aborted) {
    try {
      await team.readmit(team.guest.user)
      return
    } catch {
      await pause(ROUND_MS, signal)
    }
  }
}

const STIR_MS = 5

/**
 * Makes servers check their connections until there is an answer. They pause after each check, so that edits arrive after
 * the answer and before the next check.
 */
async function stirUntil({ team, signal }: Work, answer: Promise<unknown>): Promise<void> {
  const answered = new AbortController()
  void answer.finally(() => answered.abort())
  while (!answered.signal.aborted && !signal.aborted) {
    // The database may be at fault.
    await team.stir().catch(() => {})
    await pause(STIR_MS, answered.signal)
  }
}

const nodeOf = ({ guests: { nodes } }: Work['team'], number: number): string => nodes[number % nodes.length]!

/**
 * Makes an edit. Resolves with whether it was acknowledged before the connection was lost. Each edit is of another node:
 * one that was not acknowledged may be stored later, and of two that do not know each other either may win.
 */
async function tryEdit({ team, ledger, signal }: Work, { live }: GuestConnection, number: number) {
  const node = nodeOf(team, number)
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(EDIT_TIMEOUT_MS)])
  const isAcknowledged = await editOnce(live, { node, number }, timeout)
  if (isAcknowledged) ledger.promise(team.guests.id, node, number)
  return isAcknowledged
}

async function expectCutOff({ ledger, signal }: Work, { server, live }: GuestConnection): Promise<void> {
  const from = performance.now()
  const isCutOff = Promise.withResolvers<void>()
  const check = () => {
    // One who may look on has reconnected already.
    if (live.status !== 'open' || live.isViewer) isCutOff.resolve()
  }
  live.on('status', check)
  check()
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(CUT_OFF_MS)])
  try {
    await Promise.race([isCutOff.promise, rejectOn(timeout)])
    ledger.time('cut off', performance.now() - from)
  } catch {
    if (!signal.aborted)
      ledger.fail(`${server.name} did not close the connection of a member without access.`)
  }
}
