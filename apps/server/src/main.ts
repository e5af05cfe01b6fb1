import { runCommand } from './cli/program.ts'

// A command may wait for nothing but a database that is away, which keeps no process alive: it would end without a word.
const waiting = setInterval(() => {}, 2 ** 30)

// The only place that reads the process's environment. The exit code is set instead of exiting, so that pipes are flushed.
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
})
clearInterval(waiting)
