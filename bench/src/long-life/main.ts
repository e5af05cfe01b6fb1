import { parseArgs } from 'node:util'
import { chosenBy, readNumber, reportProgress, runCommand } from '../harness/command.ts'
import { count, table } from '../harness/report.ts'
import { judge, type Trend } from './growth.ts'
import { OPERATIONS } from './load.ts'
import { live } from './run.ts'

const HELP = `Lets a server live for many days within minutes, while clients do everything, and says what grows: memory, open
files and sockets, rows, blobs, logs. Ends with 1 when a measure grows without bound.

  npm run long-life -- [--minutes NUMBER] [--seed NUMBER] [--operation NAME] [--leak]

  --minutes: how long; 30 without it. Each day takes some seconds
  --operation: only those whose names contain this: ${Object.keys(OPERATIONS).join(', ')}
  --leak: keeps one connection open for each operation, to see that this is found
`

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      operation: { type: 'string', multiple: true, default: [] },
      leak: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    minutes: readNumber('--minutes', values.minutes),
    seed: readNumber('--seed', values.seed, 0),
    operations: Object.keys(OPERATIONS).filter(chosenBy(values.operation)),
    leaks: values.leak,
  }
}

const number = (value: number): string => (Math.abs(value) < 10 ? value.toFixed(1) : count(value))

/** The days from one sample to the next. */
const DAYS = 4
/** The first samples: caches fill, and what is kept for a month has its level. */
const WARM_UP = 8
const LEAST_SAMPLES = WARM_UP + 9

await runCommand(HELP, read, async ({ minutes, ...options }) => {
  const endsAt = performance.now() + minutes * 60_000
  const { samples, failures, logged } = await live({
    ...{ ...options, times: 2, days: DAYS },
    isDone({ samples, failures }) {
      const { operations } = samples.at(-1)!
      reportProgress(`day ${DAYS * samples.length}: ${operations} operations, ${failures.length} failed`)
      return samples.length >= LEAST_SAMPLES && performance.now() >= endsAt
    },
  })
  const trends = judge(samples.slice(WARM_UP))
  const growing = trends.filter(({ isGrowing }) => isGrowing)
  const faults = [
    ...growing.map(
      ({ name, slope }) => `${name} grows without bound: by ${number(slope)} in 1,000 operations`,
    ),
    ...new Set(failures),
    ...logged.map((line) => `logged: ${line}`),
  ]
  const { operations } = samples.at(-1)!
  return {
    text: [
      `${DAYS * samples.length} days, ${count(operations)} operations, seed ${options.seed}`,
      printTrends(trends),
      faults.length === 0 ? 'Nothing grows without bound.' : faults.map((fault) => `- ${fault}`).join('\n'),
    ].join('\n\n'),
    code: faults.length === 0 ? 0 : 1,
  }
})

function printTrends(trends: readonly Trend[]): string {
  const isShown = ({ thirds }: Trend) => thirds.some((value) => value !== 0)
  return table(
    ['measure', 'first third', 'second', 'last', 'in 1,000 operations', ''],
    trends
      .filter(isShown)
      .map(({ name, thirds, slope, expected, isGrowing }) => [
        name,
        ...thirds.map(number),
        number(slope),
        isGrowing ? '✗ grows' : expected > 0 ? 'kept' : '✓',
      ]),
  )
}
