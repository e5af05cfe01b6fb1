import { runCommand } from './harness/command.ts'
import { HELP, readOptions } from './options.ts'
import { printReport } from './report.ts'
import { run } from './run.ts'

await runCommand(HELP, readOptions, async (options) => {
  const report = await run(options)
  return { text: options.json ? JSON.stringify(report, null, 1) : printReport(report) }
})
