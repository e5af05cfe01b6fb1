import { type LiveDocument, renameNode } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { rejectOn } from '../../harness/reject-on.ts'
import type { NamedServer } from '../parts/cluster.ts'
import { nameOf, open } from './editors.ts'
import { readOne } from './readers.ts'
import { pause, send, sendUntilAnswered } from './requests.ts'
import type { Work } from './work.ts'

const ROUND_MS = 500
const NOT_FOUND = 404
/** The longest time in milliseconds until the connection of a removed member is closed, when there is no fault. */
const CUT_OFF_MS = 5000
const EDIT_TIMEOUT_MS = 10_000

/** Takes access away through one server and tries it at all others, repeatedly, until the work ends. */
export async function takeAccessAway(work: Work): Promise<void> {
  const numbers = { next: 1 }
  while (!work.signal.aborted) {
    await revokeToken(work)
    await removeGuest(work, numbers)
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

/**
 * Checks the removal of a member with a connection to every server: from the response on, no server answers them or
 * stores an edit of theirs, and their connections are closed.
 */
async function removeGuest(work: Work, numbers: { next: number }): Promise<void> {
  const { team, servers, ledger, random, signal } = work
  const { user, cookie } = team.guest
  await readmitGuest(work)
  const opened = await Promise.all(servers.map((server) => open(work, team.guests.id, server, cookie)))
  try {
    const connections = servers.flatMap((server, index): GuestConnection[] => {
      const live = opened[index]
      return live ? [{ server, live }] : []
    })
    await Promise.all(connections.map((connection) => tryEdit(work, connection, numbers.next++)))
    const path = `${APP_PREFIX}/teams/${team.id}/members/${user}`
    const removal = { path, headers: { cookie: team.owner.cookie }, method: 'DELETE' }
    const removed = await sendUntilAnswered(() => random.pick(servers), removal, ledger, signal)
    if (!removed) return
    // The first connection only listens.
    const [listener, ...editors] = connections
    await Promise.all([
      listener && expectCutOff(work, listener),
      ...editors.map(async (editor) => {
        const number = numbers.next++
        ledger.forbid(team.guests.id, nodeOf(team, number), number)
        if (await tryEdit(work, editor, number))
          ledger.violate('access kept', `${editor.server.name} stored an edit of a removed member.`)
      }),
      ...servers.map(async (server) => {
        const request = { path: `${APP_PREFIX}/documents/${team.guests.id}`, headers: { cookie } }
        const response = await send(server, request, ledger)
        if (response && response.status !== NOT_FOUND)
          ledger.violate('access kept', `${server.name} answered a removed member with ${response.status}.`)
      }),
    ])
    // An edit may be stored although its connection was closed before it was acknowledged.
    for (const server of servers) await readOne(work, server, team.guests.id)
    ledger.permit()
    ledger.count('removals')
  } finally {
    for (const live of opened) live?.close()
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

const nodeOf = ({ guests: { nodes } }: Work['team'], number: number): string => nodes[number % nodes.length]!

/**
 * Makes an edit. Resolves with whether it was acknowledged before the connection was lost. Each edit is of another node:
 * one that was not acknowledged may be stored later, and of two that do not know each other either may win.
 */
async function tryEdit({ team, ledger, signal }: Work, { live }: GuestConnection, number: number) {
  if (live.status !== 'open') return false
  const node = nodeOf(team, number)
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(EDIT_TIMEOUT_MS)])
  const lost = Promise.withResolvers<never>()
  const stopListening = live.on('status', (status) => status === 'open' || lost.reject(new Error(status)))
  try {
    live.edit((doc) => renameNode(doc, node, nameOf(number)))
    await Promise.race([live.durable(), rejectOn(timeout), lost.promise])
  } catch {
    return false
  } finally {
    stopListening()
  }
  ledger.promise(team.guests.id, node, number)
  return true
}

async function expectCutOff({ ledger, signal }: Work, { server, live }: GuestConnection): Promise<void> {
  const from = performance.now()
  const isCutOff = Promise.withResolvers<void>()
  const check = () => {
    if (live.status !== 'open') isCutOff.resolve()
  }
  live.on('status', check)
  check()
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(CUT_OFF_MS)])
  try {
    await Promise.race([isCutOff.promise, rejectOn(timeout)])
    ledger.time('cut off', performance.now() - from)
  } catch {
    if (!signal.aborted) ledger.fail(`${server.name} did not close the connection of a removed member.`)
  }
}
