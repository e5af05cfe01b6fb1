import * as nodeModule from 'node:module'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A value of `constants.compileCacheStatus`, which Node 20 does not have, just like the cache. */
const FAILED = 0
const { enableCompileCache } = nodeModule as object as {
  enableCompileCache?: (folder: string) => { status: number }
}

// The folders for compiled code, which halves the time of a short command. Where the first one is read-only, the second
// one is used, which belongs to this user whatever HOME is. The system's temporary folder is not used, since other
// users could place code there.
const FOLDERS = [
  () => join(import.meta.dirname, '../node_modules/.cache/compiled'),
  () => join(userInfo().homedir, '.cache/meadow'),
]
FOLDERS.some((findFolder) => {
  try {
    return enableCompileCache?.(findFolder()).status !== FAILED
  } catch {
    return false // The user has no entry in the system's list.
  }
})

// Only this file reads the process's environment. The exit code is set instead of exiting, so that pipes are flushed.
const [command, driver, ...words] = process.argv.slice(2)
const drivers = command === 'git' ? await import('./git/drivers.ts') : undefined
if (drivers?.isDriver(driver) && !words.some((word) => /^(?:-h|--help)$/.test(word))) {
  // Git calls these for each file: the other commands would take most of the time.
  process.exitCode = await drivers.runDriver(driver, words, process)
} else {
  const { runCommand } = await import('./program.ts')
  process.exitCode = await runCommand(process.argv.slice(2), {
    env: process.env,
    home: homedir(),
    platform: process.platform,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  })
}
