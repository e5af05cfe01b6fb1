import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX, type DocumentId } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { ask } from '../load/request.ts'
import { type Attack, type AttackTarget, type Strength, scaled, Tally } from './attack.ts'
import { uploadPath } from './teams.ts'

export const HOSTILE_DOCUMENTS = 200
/** Each is cut off after this; the default of a minute would make an evening of it. */
const SOLVE_SECONDS = 3
const ASK_EVERY_MS = 250
const REQUEST_MS = 60_000
/** After so many failures in a row there is no server any more. */
const MAX_CLOSED = 20

const PANEL_BYTES = 112_000_000
const UPLOADS = 8
const DEPTHS = [1000, 100_000]

/** Has all documents solved, and looks until each solve has ended one way or the other. */
async function solveAll(target: AttackTarget, strength: Strength): Promise<Tally> {
  const tally = new Tally()
  const { hostile, cookie } = target.teams.attacker
  const chosen = hostile.slice(0, scaled(HOSTILE_DOCUMENTS, strength))
  // Twice the time that all of them may take, one after the other.
  const deadline = performance.now() + 2 * chosen.length * (SOLVE_SECONDS + 1) * 1000
  for (const id of chosen) {
    const request = { path: `${APP_PREFIX}/documents/${id}/solves`, headers: { cookie }, json: '{}' }
    while (performance.now() < deadline) {
      const status = await askStatus(target, request)
      tally.sent++
      if (status === 202) break
      // The queue is full, or nobody is there: later.
      tally.count(status)
      await sleep(ASK_EVERY_MS)
    }
  }
  const left = new Set(chosen)
  let closedInARow = 0
  while (left.size > 0 && performance.now() < deadline && closedInARow < MAX_CLOSED) {
    for (const id of left) {
      const status = await askForEnd(target, id)
      closedInARow = status === 'closed' ? closedInARow + 1 : 0
      if (status === 202 || status === 429 || status === 503 || typeof status === 'string') continue
      left.delete(id)
      tally.count(`solve ${status}`)
    }
    await sleep(ASK_EVERY_MS)
  }
  if (left.size > 0) tally.count('solve without an end', left.size)
  return tally
}

/** The one that waits longest is asked for with patience, so that the asking itself is no attack. */
function askForEnd(target: AttackTarget, id: DocumentId): Promise<number | string> {
  const headers = { authorization: `Bearer ${target.teams.attacker.token}`, prefer: 'wait=5' }
  return askStatus(target, { path: `${API_PREFIX}/documents/${id}/solution`, headers })
}

/** The status, or in a word that there was none. */
async function askStatus(target: AttackTarget, request: Parameters<typeof ask>[1]): Promise<number | string> {
  try {
    return (await ask(target, request, { signal: AbortSignal.timeout(REQUEST_MS) })).status
  } catch {
    return 'closed'
  }
}

/** Sends files with this ending, all at once. */
async function upload(
  target: AttackTarget,
  ending: 'gh' | 'ghx',
  files: readonly Uint8Array[],
): Promise<Tally> {
  const tally = new Tally()
  const { attacker } = target.teams
  await Promise.all(
    files.map(async (bytes, at) => {
      const path = uploadPath(attacker, `Hostile ${at}.${ending}`)
      tally.sent++
      tally.count(await askStatus(target, { path, headers: { cookie: attacker.cookie }, bytes }))
    }),
  )
  return tally
}

/** About 110 KB as a file, since it is deflated. */
const createHugePanel = (): Uint8Array => createDefinitionFile({ text: 'meadow '.repeat(PANEL_BYTES / 7) })

/** Chunks inside of chunks, as XML: writing the other form refuses such a depth. */
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
