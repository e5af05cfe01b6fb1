import { runCommand } from './command.ts'

// Only this file reads the process's environment. The exit code is set instead of exiting, so that pipes are flushed.
process.exitCode = await runCommand(process.argv.slice(2), process)
