import * as nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Caches compiled code, which halves the time of a short command. Not in the system's temporary folder, where other
// users could place code; where this folder cannot be written, there is no cache. Node 20 has none.
const { enableCompileCache } = nodeModule as object as { enableCompileCache?: (folder: string) => unknown }
enableCompileCache?.(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runCommand } = await import('./run-command.ts')

// The only place that reads the process's environment. The exit code is set instead of exiting, so that pipes are flushed.
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  platform: process.platform,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
})
