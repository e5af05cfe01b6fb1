import { APP_PREFIX } from '@meadow/contract/web'
import { sendRequest } from '../../harness/request.ts'
import { type Attack, type AttackTarget, type Strength, Tally } from './attack.ts'

const DOCUMENT_BYTES = 30_000_000
/** The number of clients that keep, compare, restore and copy versions of the same document at once. */
const AT_ONCE = 6
const REQUEST_MS = 60_000

/** Keeps, compares, restores and copies versions of a large document over and over. */
async function workOnVersions(target: AttackTarget, { durationMs }: Strength): Promise<Tally> {
  const tally = new Tally()
  const { cookie, versioned } = target.teams.attacker
  const base = `${APP_PREFIX}/documents/${versioned}/versions`
  const end = performance.now() + durationMs

  async function send(path: string, body?: object): Promise<Buffer | undefined> {
    tally.sent++
    const request = { path, headers: { cookie }, ...(body && { json: JSON.stringify(body) }) }
    try {
      const { status, body: answer } = await sendRequest(target, request, {
        signal: AbortSignal.timeout(REQUEST_MS),
      })
      tally.count(status)
      return status < 300 ? answer : undefined
    } catch {
      tally.count('closed')
      return undefined
    }
  }

  async function repeat(number: number): Promise<void> {
    for (let round = 0; performance.now() < end; round++) {
      const kept = await send(base, { name: `Version ${number}.${round}` })
      const id = kept && JSON.parse(String(kept)).version.id
      if (id === undefined) continue
      await send(base)
      await send(`${base}/${id}/graph`)
      await send(`${base}/${id}/restore`, { appliedBy: 'server' })
      await send(`${base}/${id}/copy`, {})
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => repeat(number)))
  return tally
}

export const history: readonly Attack[] = [
  {
    family: 'history',
    name: `${AT_ONCE} who keep, compare, restore and copy versions of ${DOCUMENT_BYTES / 1e6} MB`,
    versionedBytes: DOCUMENT_BYTES,
    run: workOnVersions,
  },
]
