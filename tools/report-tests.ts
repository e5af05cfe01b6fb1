import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { spec, type TestEvent } from 'node:test/reporters'

/** The number of files that are named as the slowest ones. */
const SLOWEST = 10

/** The system counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/**
 * Prints a line for each file that passed, and the failed tests of the others; then the counts, the slowest files, and
 * on Linux the processor time of these, which is read from the file `used`, and of the run. Resolves with whether
 * everything passed and each of the `expected` files was run: a process may end before it has taken all of its files.
 */
export async function printReport(
  events: AsyncIterable<TestEvent>,
  expected: readonly string[],
  used: string,
): Promise<boolean> {
  const seconds = new Map<string, number>()
  let failed = 0
  async function* watch() {
    for await (const event of events) {
      const { type, data } = event
      if (type === 'test:fail') failed++
      if ((type === 'test:fail' || type === 'test:pass') && data.nesting === 0)
        seconds.set(data.name, data.details.duration_ms / 1000)
      yield event
    }
  }
  await pipeline(Readable.from(leaveOutPassed(watch())).compose(new spec()), process.stdout, { end: false })
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SLOWEST)
  const usedBy = readUses(used)
  process.stdout.write('\nThe slowest files:\n')
  for (const [file, time] of slowest) {
    const busy = usedBy.has(file) ? `, ${usedBy.get(file)!.toFixed(1)} s of processor time` : ''
    process.stdout.write(`${time.toFixed(1).padStart(7)} s  ${file}${busy}\n`)
  }
  const all = readProcessorSeconds()
  if (all) process.stdout.write(`Processor time: ${all.toFixed(0)} s\n`)
  const missing = expected.filter((file) => !seconds.has(file))
  for (const file of missing) process.stdout.write(`✖ ${file} was not run\n`)
  return failed === 0 && missing.length === 0
}

/** Drops the events about the passed tests inside of files. */
async function* leaveOutPassed(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const started: TestEvent[] = []
  for await (const event of events) {
    if (event.type === 'test:start') started.push(event)
    else if (event.type === 'test:pass' && event.data.nesting > 0 && started.length > 0) started.pop()
    else {
      if (event.type === 'test:fail' || event.type === 'test:pass') yield* started.splice(0)
      yield event
    }
  }
}

/** Notes the processor time of a test file, for the report. A browser or database that others share is no part of it. */
export function noteUse(used: string, file: string, seconds: number): void {
  appendFileSync(used, `${JSON.stringify([file, seconds])}\n`)
}

function readUses(used: string): ReadonlyMap<string, number> {
  const lines = existsSync(used) ? readFileSync(used, 'utf8').trim().split('\n') : []
  return new Map(lines.map((line) => JSON.parse(line)))
}

/** Returns the processor time of this process, and of those that it started and that have ended. */
export function readProcessorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}
