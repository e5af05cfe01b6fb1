import { APP_PREFIX } from '@meadow/contract/web'
import { requestBytes } from '../load/request.ts'
import { type Attack, scaled } from './attack.ts'
import { flood } from './connections.ts'

const REQUESTS = 400

/** Asks for the graph of a public document, without a token or a session. */
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
