import { HELP, readOptions } from './options.ts'
import { printReport } from './report.ts'
import { run } from './run.ts'

// Ended by a signal, a process runs no exit handlers of its own accord, and the servers would stay.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const options = readOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(HELP)
else {
  const report = await run(options)
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 1) : printReport(report)}\n`)
}
