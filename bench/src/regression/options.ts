import { parseArgs } from 'node:util'
import { chosenBy, readNumber } from '../harness/command.ts'

export interface Options {
  /** The revision that the working tree is compared with; the last commit without the changes here when omitted. */
  base: string | undefined
  /** The number of times that both versions are started. */
  launches: number
  /** The number of rounds of each version per case and launch. */
  rounds: number
  roundMs: number
  connections: number
  /** The number of documents of the team. */
  documents: number
  /** Whether a case is selected by its name. */
  chosen: (name: string) => boolean
  json: boolean
}

export const HELP = `Measures the processor time of requests in the working tree beside an earlier commit, on this machine.

  npm run bench:regression                     beside the last commit without the changes here, about eight minutes
  npm run bench:regression -- --base v0.1.0    beside another revision
  npm run bench:regression -- --case folder    only cases whose name contains "folder"; may be given several times
  npm run bench:regression -- --json           every figure

  --launches N (5), --rounds N (12), --round-ms N (60), --documents N (1000)

Ends with 1 when a case became slower by more than its noise and 2 %.
`

/** Throws an error with a message for users when the arguments are invalid. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: 'string' },
      case: { type: 'string', multiple: true, default: [] },
      launches: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '12' },
      'round-ms': { type: 'string', default: '60' },
      documents: { type: 'string', default: '1000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    base: values.base,
    launches: readNumber('--launches', values.launches, 3),
    rounds: readNumber('--rounds', values.rounds),
    roundMs: readNumber('--round-ms', values['round-ms']),
    connections: 8,
    documents: readNumber('--documents', values.documents),
    chosen: chosenBy(values.case),
    json: values.json,
  }
}
