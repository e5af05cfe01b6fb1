import { type Attack, scaled } from './attack.ts'
import { flood, type Reading } from './connections.ts'
import { requestsFor } from './teams.ts'

const CONNECTIONS = 200
/** One document and one solution each: with more, this would be pipelining. */
const EACH = 2

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
