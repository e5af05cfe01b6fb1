import { runCommand } from './cli/run-command.ts'

// The only reader of the process's environment. The exit code is set, not forced, so that pipes are written out.
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
})
