import { parseArgs } from 'node:util'
import { chosenBy, readNumber } from './harness/command.ts'

export interface Options {
  /** The sizes of the teams, in documents. */
  sizes: number[]
  rounds: number
  roundMs: number
  /** How long each server is sent requests before it is measured. */
  warmUpMs: number
  connections: number
  /** How often each search is measured. */
  repetitions: number
  /** Whether a case is selected by its name. */
  chosen: (name: string) => boolean
  memory: boolean
  /** Whether to measure the first reads of new processes. */
  cold: boolean
  /** Whether to measure solves, solutions and exports. */
  solutions: boolean
  /** Whether to measure everything else. */
  teams: boolean
  /** Whether to measure the growth of the solver's kinds, and nothing else. */
  kinds: boolean
  json: boolean
  postgres: boolean
  peers: boolean
}

export const HELP = `Measures Meadow beside a bare node:http server that answers a fixed buffer of the same size.

  npm run bench                         everything, about twenty minutes (the first time longer: it makes the teams)
  npm run bench -- --quick              1,000 and 100,000 documents, short rounds, about a minute and a half
  npm run bench -- --case folder        only cases whose name contains "folder"; may be given several times
  npm run bench -- --sizes 1000,50000   teams of other sizes
  npm run bench -- --solutions          solves, solutions, exports only, three minutes; --no-solutions: without
  npm run bench -- --kinds              how the time of each kind of the solver grows, only, about ten minutes
  npm run bench -- --postgres           Meadow on PostgreSQL too (sizes: 1,000 and 100,000)
  npm run bench -- --peers              other servers on the same data too: PostgREST, PostGraphile, Directus,
                                        json-server, and a plain one of Fastify and Kysely
  npm run bench -- --json > now.json    every figure, raw values included

  --rounds N, --round-ms N, --warm-up-ms N, --connections N, --no-memory, --no-cold
`

/** Throws an error with a message for users when the arguments are invalid. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      sizes: { type: 'string' },
      rounds: { type: 'string' },
      'round-ms': { type: 'string' },
      'warm-up-ms': { type: 'string' },
      connections: { type: 'string', default: '8' },
      memory: { type: 'boolean' },
      cold: { type: 'boolean', default: true },
      solutions: { type: 'boolean' },
      kinds: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const { quick, peers } = values
  const postgres = values.postgres || peers
  const ownSizes = quick || postgres ? '1000,100000' : '1000,100000,1000000'
  return {
    sizes: (values.sizes ?? ownSizes).split(',').map((size) => readNumber('--sizes', size)),
    rounds: readNumber('--rounds', values.rounds ?? (quick ? '3' : '7')),
    roundMs: readNumber('--round-ms', values['round-ms'] ?? (quick ? '100' : '500')),
    warmUpMs: readNumber('--warm-up-ms', values['warm-up-ms'] ?? (quick ? '100' : '3000')),
    connections: readNumber('--connections', values.connections),
    repetitions: quick ? 3 : 15,
    chosen: chosenBy(values.case),
    solutions: values.solutions ?? true,
    teams: values.solutions !== true,
    memory: values.memory ?? (!quick && !values.solutions && values.case.length === 0),
    cold: values.cold && !quick && values.solutions !== true,
    kinds: values.kinds,
    json: values.json,
    postgres,
    peers,
  }
}
