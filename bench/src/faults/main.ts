import { parseArgs } from 'node:util'
import { reportProgress, runCommand } from '../harness/command.ts'
import { openLane, prepare, runPoint } from './lane.ts'
import { OPERATIONS } from './operations.ts'
import type { DatabaseName } from './place.ts'
import { describePoint } from './points.ts'

const HELP = `Lets each call fail once that an operation makes of the database, files, child processes and other servers, and
judges what is there afterwards. Ends with 1 when anything was lost, half done or left behind.

  npm run faults -- [--operation NAME] [--database sqlite|postgres] [--point NUMBER] [--every NUMBER]

  --operation: only this one: ${OPERATIONS.map(({ name }) => name).join(', ')}
  --point: only this fault, to replay it
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
  return values.help ? 'help' : values
}

await runCommand(HELP, read, async ({ operation: wanted, database, point: only, every }) => {
  const names = database ? [database as DatabaseName] : (['sqlite', 'postgres'] as const)
  const rows: string[][] = []
  const found: string[] = []
  for (const name of names) {
    await using lane = await openLane(name)
    for (const operation of OPERATIONS.filter(({ name }) => !wanted || name === wanted)) {
      const prepared = await prepare(lane, operation)
      const points = prepared.points.filter(({ number }) =>
        only ? number === Number(only) : number % Number(every) === 0,
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
        if (only) reportProgress(`${describePoint(point)}: ${isMet ? 'met' : 'not met'}`)
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
  const table = [['operation', 'database', 'points', 'not met', 'violations'], ...rows]
  const text = table.map((row) => row.map((cell) => cell.padEnd(12)).join('')).join('\n')
  return { text, code: found.length > 0 ? 1 : 0 }
})
