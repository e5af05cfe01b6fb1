import { HELP, readOptions } from './options.ts'
import { printReport } from './report.ts'
import { run } from './run.ts'

// A process that is ended by a signal runs no exit handlers, and the servers would keep running.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const options = readOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(HELP)
else {
  const report = await run(options)
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 1) : printReport(report)}\n`)
}
