import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX, type DocumentId } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { sendRequest } from '../../harness/request.ts'
import { uploadPath } from '../teams/teams.ts'
import { type Attack, type AttackTarget, type Strength, scaled, Tally } from './attack.ts'

export const HOSTILE_DOCUMENTS = 200
/** The limit of a solve; with the default of a minute, the attack would take hours. */
const SOLVE_SECONDS = 3
const POLL_MS = 250
const REQUEST_MS = 60_000
/** After this many failures in a row, the server is considered unavailable. */
const MAX_CLOSED = 20

const PANEL_BYTES = 112_000_000
const UPLOADS = 8
const DEPTHS = [1000, 100_000]

/** Queues solves of all documents, and polls until each solve has ended. */
async function solveAll(target: AttackTarget, strength: Strength): Promise<Tally> {
  const tally = new Tally()
  const { hostile, cookie } = target.teams.attacker
  const chosen = hostile.slice(0, scaled(HOSTILE_DOCUMENTS, strength))
  // The deadline is twice the time that all solves may take one after the other.
  const deadline = performance.now() + 2 * chosen.length * (SOLVE_SECONDS + 1) * 1000
  for (const id of chosen) {
    const request = { path: `${APP_PREFIX}/documents/${id}/solves`, headers: { cookie }, json: '{}' }
    while (performance.now() < deadline) {
      const status = await requestStatus(target, request)
      tally.sent++
      if (status === 202) break
      // The queue is full, or the server does not respond: try again later.
      tally.count(status)
      await sleep(POLL_MS)
    }
  }
  const left = new Set(chosen)
  let closedInARow = 0
  while (left.size > 0 && performance.now() < deadline && closedInARow < MAX_CLOSED) {
    for (const id of left) {
      const status = await pollSolve(target, id)
      closedInARow = status === 'closed' ? closedInARow + 1 : 0
      if (status === 202 || status === 429 || status === 503 || typeof status === 'string') continue
      left.delete(id)
      tally.count(`solve ${status}`)
    }
    await sleep(POLL_MS)
  }
  if (left.size > 0) tally.count('solve without an end', left.size)
  return tally
}

/** Waits up to 5 s per request, so that the polling itself is not a flood. */
function pollSolve(target: AttackTarget, id: DocumentId): Promise<number | string> {
  const headers = { authorization: `Bearer ${target.teams.attacker.token}`, prefer: 'wait=5' }
  return requestStatus(target, { path: `${API_PREFIX}/documents/${id}/solution`, headers })
}

/** Resolves with the status of the response, or with `closed`. */
async function requestStatus(
  target: AttackTarget,
  request: Parameters<typeof sendRequest>[1],
): Promise<number | string> {
  try {
    return (await sendRequest(target, request, { signal: AbortSignal.timeout(REQUEST_MS) })).status
  } catch {
    return 'closed'
  }
}

/** Uploads files with this extension, all at once. */
async function upload(
  target: AttackTarget,
  extension: 'gh' | 'ghx',
  files: readonly Uint8Array[],
): Promise<Tally> {
  const tally = new Tally()
  const { attacker } = target.teams
  await Promise.all(
    files.map(async (bytes, index) => {
      const path = uploadPath(attacker, `Hostile ${index}.${extension}`)
      tally.sent++
      tally.count(await requestStatus(target, { path, headers: { cookie: attacker.cookie }, bytes }))
    }),
  )
  return tally
}

/** Creates a file with a panel of a huge text. Compressed, the file has about 110 KB. */
const createHugePanel = (): Uint8Array => createDefinitionFile({ text: 'meadow '.repeat(PANEL_BYTES / 7) })

/** Creates a file of nested chunks as XML, since the writer of the binary form rejects such a depth. */
function createDeepFile(depth: number): Uint8Array {
  const file = Buffer.from(createDefinitionFile({ form: 'ghx' })).toString()
  const begin = '<chunk name="Level"><items count="0"></items><chunks count="1">'
  const nested = `${begin.repeat(depth)}${'</chunks></chunk>'.repeat(depth)}`
  return Buffer.from(file.replace('<chunk name="Definition">', `${nested}$&`))
}

export const hostileDocuments: readonly Attack[] = [
  {
    family: 'documents',
    name: `${HOSTILE_DOCUMENTS} hostile documents`,
    server: { env: { MEADOW_SOLVE_SECONDS: `${SOLVE_SECONDS}`, MEADOW_SOLVE_MEMORY_MB: '256' } },
    longestJobMs: SOLVE_SECONDS * 1000,
    run: solveAll,
  },
  {
    family: 'documents',
    name: `${UPLOADS} uploads of 110 KB that are 112 MB of JSON`,
    longestJobMs: 10_000,
    run(target, strength) {
      const file = createHugePanel()
      return upload(target, 'gh', Array(scaled(UPLOADS, strength)).fill(file))
    },
  },
  {
    family: 'documents',
    name: 'uploads of deep files',
    run: (target) => upload(target, 'ghx', DEPTHS.map(createDeepFile)),
  },
]
