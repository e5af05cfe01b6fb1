import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { requestBytes, sendRequest } from '../../harness/request.ts'
import { type LargeSize, QUEUE } from '../teams/teams.ts'
import { type Attack, type AttackTarget, type Strength, scaled } from './attack.ts'
import { flood, type Reading } from './connections.ts'

interface Pipeline {
  each: number
  size: LargeSize
  reading: Reading
  connections?: number
  maxOpenFiles?: number
}

const WORDS = { all: 'read', nothing: 'unread', drip: 'dripping' } as const

/** Sends many requests for documents and solutions on one connection before it reads any response. */
function pipeline({ each, size, reading, connections = 1, maxOpenFiles }: Pipeline): Attack {
  const over = connections === 1 ? '' : `${connections} × `
  const limit = maxOpenFiles === undefined ? '' : `, ${maxOpenFiles} open files`
  return {
    family: 'pipelining',
    name: `${over}${each} requests of ${size}, ${WORDS[reading]}${limit}`,
    ...(maxOpenFiles !== undefined && { server: { maxOpenFiles } }),
    run: (target, strength) =>
      flood(target, strength, { connections, requests: requestsFor(target, size), each, reading }),
  }
}

export const pipelining: readonly Attack[] = [
  pipeline({ each: 500, size: '80 KB', reading: 'all' }),
  pipeline({ each: 500, size: '80 KB', reading: 'nothing' }),
  pipeline({ each: 5000, size: '80 KB', reading: 'all' }),
  pipeline({ each: 5000, size: '80 KB', reading: 'nothing', maxOpenFiles: 1024 }),
  pipeline({ each: 500, size: '1 MB', reading: 'all' }),
  pipeline({ each: 500, size: '1 MB', reading: 'nothing' }),
  pipeline({ each: 500, size: '10 MB', reading: 'all' }),
  pipeline({ each: 500, size: '10 MB', reading: 'nothing' }),
  pipeline({ each: 100, size: '80 KB', reading: 'nothing', connections: 50, maxOpenFiles: 1024 }),
  pipeline({ each: 100, size: '1 MB', reading: 'all', connections: 50 }),
]

const REQUESTS = 400

/** Reads the graph of a public document without a token or a session. */
const anonymousReads = (connections: number): Attack => ({
  family: 'anonymous',
  name: `${REQUESTS} reads of a public graph over ${connections === 1 ? 'one connection' : `${connections} connections`}`,
  run(target, strength) {
    const { publicDocument } = target.teams.attacker
    const requests = [requestBytes({ path: `${APP_PREFIX}/documents/${publicDocument}/graph` })]
    const wanted = scaled(REQUESTS, strength)
    const shape = connections === 1 ? { connections, each: wanted } : { connections: wanted, each: 1 }
    return flood(target, { ...strength, share: 1 }, { ...shape, requests, reading: 'all' })
  },
})

export const anonymous: readonly Attack[] = [anonymousReads(1), anonymousReads(REQUESTS)]

const CONNECTIONS = 200
/** The number of documents, and of solutions, that each connection requests. */
const EACH = 2

/** Opens connections that read large responses slowly, or not at all. */
const slowReading = (reading: Reading, words: string): Attack => ({
  family: 'slow readers',
  name: `${CONNECTIONS} connections that ${words} of 10 MB`,
  async run(target, strength) {
    const requests = requestsFor(target, '10 MB')
    const connections = scaled(CONNECTIONS, strength)
    return flood(target, { ...strength, share: 1 }, { connections, requests, each: EACH, reading })
  },
})

export const slowReaders: readonly Attack[] = [
  slowReading('nothing', 'read nothing'),
  slowReading('drip', 'read 10 KB a second'),
]

const WAITS = 2000

/** Queues solves of ordinary documents; returns the last one, which waits longest. */
async function queueSolves(target: AttackTarget, strength: Strength): Promise<string> {
  const { cookie } = target.teams.attacker
  const queue = target.teams.attacker.queue.slice(0, scaled(QUEUE, strength))
  for (const id of queue) {
    await sendRequest(target, {
      path: `${APP_PREFIX}/documents/${id}/solves`,
      headers: { cookie },
      json: '{}',
    })
  }
  return queue.at(-1)!
}

/** Sends requests that wait for a solution with `Prefer: wait`. */
const waitingRequests = (overConnections: boolean): Attack => ({
  family: 'waits',
  name: `${WAITS} × Prefer: wait=30 over ${overConnections ? `${WAITS} connections` : 'one connection'}`,
  longestJobMs: 2000,
  async run(target, strength) {
    const { token } = target.teams.attacker
    const path = `${API_PREFIX}/documents/${await queueSolves(target, strength)}/solution`
    const headers = { authorization: `Bearer ${token}`, prefer: 'wait=30' }
    const requests = [requestBytes({ path, headers })]
    const waits = scaled(WAITS, strength)
    const shape = overConnections ? { connections: waits, each: 1 } : { connections: 1, each: waits }
    return flood(target, { ...strength, share: 1 }, { ...shape, requests, reading: 'all' })
  },
})

export const waits: readonly Attack[] = [waitingRequests(false), waitingRequests(true)]

/** Returns requests for a document of the attacking team and for its solution, uncompressed. */
function requestsFor({ teams }: AttackTarget, size: LargeSize): Buffer[] {
  const { token, large } = teams.attacker
  const path = `${API_PREFIX}/documents/${large[size]}`
  const headers = { authorization: `Bearer ${token}` }
  return [requestBytes({ path, headers }), requestBytes({ path: `${path}/solution`, headers })]
}
