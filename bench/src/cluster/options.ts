import { parseArgs } from 'node:util'
import { readNumber, readOne } from '../harness/command.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import { BLOB_STORE_KINDS, type BlobStoreKind } from './parts/cluster.ts'

export interface ClusterRunOptions {
  /** Faults are injected until this many processes were killed, or until `durationMs` has passed. */
  kills: number
  /** The longest time for which faults are injected, in milliseconds. */
  durationMs: number
  faults: readonly FaultKind[]
  seed: number
  serve: number
  work: number
  store: BlobStoreKind
  pooler: boolean
  /** Whether to measure what a cluster costs, before the faults. */
  figures: boolean
  json: boolean
  /** Whether data and logs are kept. */
  keep: boolean
}

export const HELP = `Runs several processes of Meadow on one database under faults, and reports what must never happen.

  npm run cluster                          100 kills among other faults, about ten minutes
  npm run cluster -- --kills 1000          until 1,000 processes were killed
  npm run cluster -- --minutes 5           for five minutes
  npm run cluster -- --faults kill,cut     kinds of faults (${FAULT_KINDS.join(', ')})
  npm run cluster -- --seed 7              the same faults in the same order, at about the same moments
  npm run cluster -- --serve 4 --work 1    numbers of processes; without: 3 that serve, 2 that solve
  npm run cluster -- --store disk          blobs in a folder that all share, in place of an object store
  npm run cluster -- --no-pooler           without a pooler in front of PostgreSQL
  npm run cluster -- --figures             measures what a cluster costs, without faults
  npm run cluster -- --json > now.json     everything that was observed

  --no-figures: faults alone. --keep: data and logs stay in their folder, whose path is printed.

Ends with 1 when an edit was lost, an old snapshot replaced a newer one, a body was wrong, a request failed or an edit did
not arrive later than 5 s after a fault, access was kept, a solve was wrong, or a process ended by itself.
`

/** Throws an error with a message for users when the arguments are invalid. */
export function readClusterOptions(args: readonly string[]): ClusterRunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      kills: { type: 'string' },
      minutes: { type: 'string' },
      faults: { type: 'string', default: FAULT_KINDS.join(',') },
      seed: { type: 'string' },
      serve: { type: 'string', default: '3' },
      work: { type: 'string', default: '2' },
      store: { type: 'string', default: 's3' },
      pooler: { type: 'boolean', default: true },
      figures: { type: 'boolean' },
      json: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const minutes = values.minutes === undefined ? undefined : readNumber('--minutes', values.minutes, 1)
  const kills = values.kills === undefined ? undefined : readNumber('--kills', values.kills, 1)
  const onlyFigures = values.figures === true && minutes === undefined && kills === undefined
  return {
    kills: onlyFigures ? 0 : (kills ?? (minutes === undefined ? 100 : Number.POSITIVE_INFINITY)),
    durationMs: minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000,
    faults: readFaults(values.faults),
    seed: values.seed === undefined ? Date.now() % 1_000_000 : readNumber('--seed', values.seed, 0),
    // There are at least two, since another process has to answer when one is killed.
    serve: readNumber('--serve', values.serve, 2),
    work: readNumber('--work', values.work, 1),
    store: readOne('store', values.store, BLOB_STORE_KINDS),
    pooler: values.pooler,
    figures: values.figures ?? true,
    json: values.json,
    keep: values.keep,
  }
}

const readFaults = (text: string): FaultKind[] =>
  text.split(',').map((name) => readOne('fault', name.trim(), FAULT_KINDS))
