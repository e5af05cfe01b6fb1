import type { Attack } from './attack.ts'
import { flood, type Reading } from './connections.ts'
import { type LargeSize, requestsFor } from './teams.ts'

interface Pipeline {
  each: number
  size: LargeSize
  reading: Reading
  connections?: number
  maxOpenFiles?: number
}

const WORDS = { all: 'read', nothing: 'unread', drip: 'dripping' } as const

/** Many requests at once on a connection, of documents and solutions, before any answer was read. */
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
