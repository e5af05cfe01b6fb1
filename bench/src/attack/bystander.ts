import { setTimeout as sleep } from 'node:timers/promises'
import { type LiveDocument, openLive, renameNode } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { ask, type HttpAnswer, type HttpRequest } from '../load/request.ts'
import { answerTasks } from './helper-process.ts'
import { uploadPath, type WorkingTeam } from './teams.ts'

/** What a bystander is asked for: once `start`, `take` after each phase, `finish` in the end. */
export type BystanderTask =
  | { do: 'start'; host: string; port: number; team: WorkingTeam; mayBeOut: boolean }
  | { do: 'take' }
  | { do: 'finish' }

export const WORK_KINDS = ['read', 'edit', 'solve', 'upload'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** What was begun in one phase, all of it ended. */
export interface Phase {
  /** From the asking to the right answer, in milliseconds. */
  times: Record<WorkKind, number[]>
  /** How many answers were wrong or missing, and the first of them in words. */
  wrong: number
  examples: string[]
  /** How often 503 was answered and the same asked again, where the database may be out. */
  retried: number
}

const EVERY_MS = { read: 50, edit: 100, solve: 1000, upload: 1500 }
/** So much is under way at most: somebody who gets no answer stops asking. */
const MOST_AT_ONCE = 50
/** No answer by then is a wrong one. */
const PATIENCE_MS = 120_000
const EXAMPLES = 5

const emptyPhase = (): Phase => ({
  times: { read: [], edit: [], solve: [], upload: [] },
  wrong: 0,
  examples: [],
  retried: 0,
})

let stopWork = async (): Promise<string[]> => []
let phase = emptyPhase()
const underWay = new Set<Promise<void>>()

answerTasks<BystanderTask>(async (task) => {
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

/** What begins from now on belongs to the next phase. */
async function takePhase(): Promise<Phase> {
  const [taken, left] = [phase, [...underWay]]
  phase = emptyPhase()
  await Promise.all(left)
  return taken
}

function begin(kind: WorkKind, work: (own: Phase) => Promise<void>): Promise<void> {
  const own = phase
  const startedAt = performance.now()
  const done = work(own)
    .catch((error: Error) => noteWrong(own, `${kind}: ${error.message}`))
    .finally(() => {
      own.times[kind].push(performance.now() - startedAt)
      underWay.delete(done)
    })
  underWay.add(done)
  return done
}

function noteWrong(own: Phase, what: string): void {
  own.wrong++
  if (own.examples.length < EXAMPLES) own.examples.push(what)
}

/** Works on in steady steps, however long answers take. Gives what ends it and tells the edits that were lost. */
async function startWork({ host, port, team, mayBeOut }: Extract<BystanderTask, { do: 'start' }>) {
  const server = { host, port }
  const authorization = `Bearer ${team.token}`

  /** The answer, which has to have the status. */
  async function get(request: HttpRequest, status: number, own: Phase): Promise<HttpAnswer> {
    for (;;) {
      const answer = await ask(server, request, { signal: AbortSignal.timeout(PATIENCE_MS) })
      const retryAfter = Number(answer.headers['retry-after'])
      if (mayBeOut && answer.status === 503 && retryAfter > 0) {
        own.retried++
        await sleep(retryAfter * 1000)
      } else if (answer.status === 202 && status === 200) {
        // The wait was over before the solve was. Asking again is part of its time.
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
    const at = turn % (reads.length + 1)
    if (at === reads.length) {
      await get(unchanged, 304, own)
      return
    }
    const { body } = await get(reads[at]!, 200, own)
    if (!body.equals(expected[at]!.body)) throw new Error(`${reads[at]!.path} answered something else.`)
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
    if (outcome === 'conflict') throw new Error('An upload was refused as a conflict.')
  }

  const address = `http://${host}:${port}`
  const open = () =>
    openLive({ address, cookie: team.cookie, documentId: team.edited.id, timeoutMs: PATIENCE_MS })
  const live = await open()
  watchConnection(live, mayBeOut)
  /** The number of the last acknowledged edit of each node. */
  const acknowledged = new Map<string, number>()
  async function edit(turn: number): Promise<void> {
    const node = team.edited.nodes[turn % team.edited.nodes.length]!
    live.edit((doc) => renameNode(doc, node, nameOf(turn)))
    const late = AbortSignal.timeout(PATIENCE_MS)
    const refused = new Promise((_, reject) => {
      late.onabort = () => reject(new Error('An edit was not acknowledged in time.'))
    })
    await Promise.race([live.durable(), refused])
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
    await Promise.all([...underWay, ...loops])
    live.close()
    // Somebody who was not there before: those who were would bring what was lost.
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
    if (underWay.size < MOST_AT_ONCE) work(turn++)
  }, ms)
}

/** One after the other, with a pause between. */
async function repeat(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(ms, undefined, { signal }).catch(() => {})
  }
}
