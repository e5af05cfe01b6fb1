import { runCommand } from './harness/command.ts'
import { measureKinds } from './kinds/measure-kinds.ts'
import { printKinds } from './kinds/print-kinds.ts'
import { HELP, readOptions } from './options.ts'
import { printReport } from './report.ts'
import { run } from './run.ts'

await runCommand(HELP, readOptions, async (options) => {
  if (options.kinds) {
    const growths = await measureKinds(options.chosen)
    return { text: options.json ? JSON.stringify(growths, null, 1) : printKinds(growths) }
  }
  const report = await run(options)
  return { text: options.json ? JSON.stringify(report, null, 1) : printReport(report) }
})
