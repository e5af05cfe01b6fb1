import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Types are stripped and code is compiled once, not at each start: that halves the time of a short command. Not in the
// system's temporary folder, where others could put code for us; where this one cannot be written, there is no cache.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runCommand } = await import('./cli/run-command.ts')

// The only reader of the process's environment. The exit code is set, not forced, so that pipes are written out.
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
})
