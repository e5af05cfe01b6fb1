import { setTimeout as sleep } from 'node:timers/promises'
import { type LiveDocument, openLive, renameNode } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { serveTasks } from '../../harness/processes.ts'
import { rejectOn } from '../../harness/reject-on.ts'
import { addressOf, type HttpRequest, type HttpResponse, sendRequest } from '../../harness/request.ts'
import { uploadPath, type WorkingTeam } from '../teams/teams.ts'

/** A task of a bystander's process. It does `start` once, `take` after each phase, and `finish` at the end. */
export type BystanderTask =
  | { do: 'start'; host: string; port: number; team: WorkingTeam; mayBeDown: boolean }
  | { do: 'take' }
  | { do: 'finish' }

export const WORK_KINDS = ['read', 'edit', 'solve', 'upload'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** The results of all work that started in one phase. */
export interface Phase {
  /** The times from the request to the correct response, in milliseconds. */
  times: Record<WorkKind, number[]>
  /** The number of wrong or missing responses, and the first of them as messages. */
  wrong: number
  examples: string[]
  /** The number of retries after 503, where the database may be unavailable. */
  retried: number
}

const EVERY_MS = { read: 50, edit: 100, solve: 1000, upload: 1500 }
/** The limit of concurrent work. */
const MAX_PENDING = 50
/** The time in milliseconds after which a response counts as missing. */
const TIMEOUT_MS = 120_000
const MAX_EXAMPLES = 5

const emptyPhase = (): Phase => ({
  times: { read: [], edit: [], solve: [], upload: [] },
  wrong: 0,
  examples: [],
  retried: 0,
})

let stopWork = async (): Promise<string[]> => []
let phase = emptyPhase()
const pending = new Set<Promise<void>>()

serveTasks<BystanderTask>(async (task) => {
  switch (task.do) {
    case 'start':
      stopWork = await startWork(task)
      return undefined
    case 'take':
      return takePhase()
    case 'finish':
      return stopWork()
  }
})

/** Ends the phase: later work belongs to the next one. */
async function takePhase(): Promise<Phase> {
  const [taken, rest] = [phase, [...pending]]
  phase = emptyPhase()
  await Promise.all(rest)
  return taken
}

function begin(kind: WorkKind, work: (own: Phase) => Promise<void>): Promise<void> {
  const own = phase
  const startedAt = performance.now()
  const done = work(own)
    .catch((error: Error) => noteWrong(own, `${kind}: ${error.message}`))
    .finally(() => {
      own.times[kind].push(performance.now() - startedAt)
      pending.delete(done)
    })
  pending.add(done)
  return done
}

function noteWrong(own: Phase, message: string): void {
  own.wrong++
  if (own.examples.length < MAX_EXAMPLES) own.examples.push(message)
}

/** Works at a constant rate, however long responses take. Returns the function that stops it and lists lost edits. */
async function startWork({ host, port, team, mayBeDown }: Extract<BystanderTask, { do: 'start' }>) {
  const server = { host, port }
  const authorization = `Bearer ${team.token}`

  /** Sends a request until it is answered with this status. */
  async function get(request: HttpRequest, status: number, own: Phase): Promise<HttpResponse> {
    for (;;) {
      const answer = await sendRequest(server, request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const retryAfter = Number(answer.headers['retry-after'])
      if (mayBeDown && answer.status === 503 && retryAfter > 0) {
        own.retried++
        await sleep(retryAfter * 1000)
      } else if (answer.status === 202 && status === 200) {
        // The wait ended before the solve; the next request is part of its time.
      } else if (answer.status === status) return answer
      else
        throw new Error(`${request.path} answered ${answer.status}: ${answer.body.toString().slice(0, 200)}`)
    }
  }

  const document = `${API_PREFIX}/documents/${team.read}`
  const api = [
    `${API_PREFIX}/folders/root`,
    `${API_PREFIX}/documents?q=Read`,
    document,
    `${document}/solution`,
  ]
  const reads: HttpRequest[] = [
    ...api.map((path) => ({ path, headers: { authorization } })),
    { path: `${APP_PREFIX}/me`, headers: { cookie: team.cookie } },
  ]
  const expected = await Promise.all(reads.map((request) => get(request, 200, phase)))
  const tag = expected[2]!.headers.etag!
  const unchanged = { path: document, headers: { authorization, 'if-none-match': tag } }

  async function read(turn: number, own: Phase): Promise<void> {
    const index = turn % (reads.length + 1)
    if (index === reads.length) {
      await get(unchanged, 304, own)
      return
    }
    const { body } = await get(reads[index]!, 200, own)
    if (!body.equals(expected[index]!.body)) throw new Error(`${reads[index]!.path} answered something else.`)
  }

  let lastSolution: string | undefined
  async function solve(own: Phase): Promise<void> {
    const { cookie, solved } = team
    await get({ path: `${APP_PREFIX}/documents/${solved}/solves`, headers: { cookie }, json: '{}' }, 202, own)
    const headers = { authorization, prefer: 'wait=30' }
    const path = `${API_PREFIX}/documents/${solved}/solution`
    const { body } = await get({ path, headers }, 200, own)
    const { solutionId } = JSON.parse(body.toString()).data ?? {}
    if (solutionId === lastSolution) throw new Error('The solution is the one from before.')
    lastSolution = solutionId
  }

  const file = createDefinitionFile({ panels: 20 })
  async function upload(own: Phase): Promise<void> {
    const path = uploadPath(team, 'Work.gh')
    const { body } = await get({ path, headers: { cookie: team.cookie }, bytes: file }, 200, own)
    const { outcome } = JSON.parse(body.toString()).upload
    if (outcome === 'conflict') throw new Error('An upload was rejected as a conflict.')
  }

  const address = addressOf(server)
  const open = () =>
    openLive({ address, cookie: team.cookie, documentId: team.edited.id, timeoutMs: TIMEOUT_MS })
  const live = await open()
  watchConnection(live, mayBeDown)
  /** The number of the last acknowledged edit of each node. */
  const acknowledged = new Map<string, number>()
  async function edit(turn: number): Promise<void> {
    const node = team.edited.nodes[turn % team.edited.nodes.length]!
    live.edit((doc) => renameNode(doc, node, nameOf(turn)))
    await Promise.race([live.durable(), rejectOn(AbortSignal.timeout(TIMEOUT_MS))])
    acknowledged.set(node, Math.max(turn, acknowledged.get(node) ?? 0))
  }

  const timers = [
    every(EVERY_MS.read, (turn) => begin('read', (own) => read(turn, own))),
    every(EVERY_MS.edit, (turn) => begin('edit', () => edit(turn))),
  ]
  const stopped = new AbortController()
  const loops = [
    repeat(EVERY_MS.solve, stopped.signal, () => begin('solve', solve)),
    repeat(EVERY_MS.upload, stopped.signal, () => begin('upload', upload)),
  ]

  return async (): Promise<string[]> => {
    for (const timer of timers) clearInterval(timer)
    stopped.abort()
    await Promise.all([...pending, ...loops])
    live.close()
    // The connection is a new one, since the old one would send lost edits again.
    const later = await open()
    const { nodes } = later.read()
    later.close()
    const isLost = ([node, turn]: [string, number]) => !(turnOf(nodes[node]?.nickName) >= turn)
    return [...acknowledged].filter(isLost).map(([node, turn]) => `${nameOf(turn)} of ${node}`)
  }
}

const nameOf = (turn: number): string => `edit ${turn}`
const turnOf = (name: string | undefined): number => Number(name?.replace('edit ', ''))

function watchConnection(live: LiveDocument, mayBreak: boolean): void {
  if (!mayBreak) {
    live.on('status', (status) => {
      if (status === 'reconnecting') noteWrong(phase, 'edit: the connection was lost')
    })
  }
  live.on('reset', ({ message }) => noteWrong(phase, `edit: the document was loaded anew: ${message}`))
}

function every(ms: number, work: (turn: number) => unknown): NodeJS.Timeout {
  let turn = 0
  return setInterval(() => {
    if (pending.size < MAX_PENDING) work(turn++)
  }, ms)
}

/** Runs work repeatedly, with a pause in between. */
async function repeat(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(ms, undefined, { signal }).catch(() => {})
  }
}
