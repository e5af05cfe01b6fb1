import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { ask, requestBytes } from '../load/request.ts'
import { type Attack, type AttackTarget, type Strength, scaled } from './attack.ts'
import { flood } from './connections.ts'
import { QUEUE } from './teams.ts'

const WAITS = 2000

/** Asks for the solves of so much of the queue; the last document of it waits longest. */
async function askForSolves(target: AttackTarget, strength: Strength): Promise<string> {
  const { cookie } = target.teams.attacker
  const queue = target.teams.attacker.queue.slice(0, scaled(QUEUE, strength))
  for (const id of queue) {
    await ask(target, { path: `${APP_PREFIX}/documents/${id}/solves`, headers: { cookie }, json: '{}' })
  }
  return queue.at(-1)!
}

const waiting = (overConnections: boolean): Attack => ({
  family: 'waits',
  name: `${WAITS} × Prefer: wait=30 over ${overConnections ? `${WAITS} connections` : 'one connection'}`,
  longestJobMs: 2000,
  async run(target, strength) {
    const { token } = target.teams.attacker
    const path = `${API_PREFIX}/documents/${await askForSolves(target, strength)}/solution`
    const headers = { authorization: `Bearer ${token}`, prefer: 'wait=30' }
    const requests = [requestBytes({ path, headers })]
    const waits = scaled(WAITS, strength)
    const shape = overConnections ? { connections: waits, each: 1 } : { connections: 1, each: waits }
    return flood(target, { ...strength, share: 1 }, { ...shape, requests, reading: 'all' })
  },
})

export const waits: readonly Attack[] = [waiting(false), waiting(true)]
