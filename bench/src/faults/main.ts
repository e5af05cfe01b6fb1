import { parseArgs } from 'node:util'
import { chosenBy, readNumber, readOne, reportProgress, runCommand } from '../harness/command.ts'
import { table } from '../harness/report.ts'
import { openLane, prepare, runPoint } from './lane.ts'
import { OPERATIONS } from './operations.ts'
import { DATABASE_NAMES } from './place.ts'
import { describePoint } from './points.ts'

const HELP = `Lets each call fail once that an operation makes of the database, files, child processes and other servers, and
judges what is there afterwards. Ends with 1 when anything was lost, half done or left behind.

  npm run faults -- [--operation NAME] [--database sqlite|postgres] [--point TEXT] [--every NUMBER]

  --operation: only this one: ${OPERATIONS.map(({ name }) => name).join(', ')}
  --point: only faults whose descriptions contain this text, to replay one: 'error at call 2 of "sql commit'
  --every: only every so many, for a sample
`

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operation: { type: 'string' },
      database: { type: 'string' },
      point: { type: 'string' },
      every: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const { operation, database, point, every } = values
  const names = OPERATIONS.map(({ name }) => name)
  return {
    operations: operation === undefined ? names : [readOne('operation', operation, names)],
    databases: database === undefined ? DATABASE_NAMES : [readOne('database', database, DATABASE_NAMES)],
    isChosen: chosenBy(point === undefined ? [] : [point]),
    every: readNumber('--every', every),
  }
}

await runCommand(HELP, read, async ({ operations, databases, isChosen, every }) => {
  const rows: string[][] = []
  const found: string[] = []
  for (const name of databases) {
    await using lane = await openLane(name)
    for (const operation of OPERATIONS.filter(({ name }) => operations.includes(name))) {
      const prepared = await prepare(lane, operation)
      const points = prepared.points.filter(
        (point) => point.number % every === 0 && isChosen(describePoint(point)),
      )
      reportProgress(`${operation.name} on ${name}: ${points.length} of ${prepared.points.length} points`)
      const start = performance.now()
      let [missed, violated] = [0, 0]
      for (const point of points) {
        const { isMet, violations } = await runPoint(lane, prepared, point)
        if (!isMet) {
          missed++
          reportProgress(`not met: ${describePoint(point)}`)
        }
        if (violations.length === 0) continue
        violated++
        const text = `${operation.name} on ${name}, ${describePoint(point)}\n  ${violations.join('\n  ')}`
        found.push(text)
        reportProgress(text)
      }
      rows.push([operation.name, name, String(points.length), String(missed), String(violated)])
      reportProgress(`  ${Math.round((performance.now() - start) / 1000)} s`)
    }
  }
  const text = table(['operation', 'database', 'points', 'not met', 'violations'], rows)
  return { text, code: found.length > 0 ? 1 : 0 }
})
