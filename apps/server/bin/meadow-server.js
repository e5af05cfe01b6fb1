import { constants, enableCompileCache } from 'node:module'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/*
 * Runs the command with a cache of its compiled code, without which it takes twice as long to start. It is JavaScript,
 * since Node would read a file of TypeScript before the cache is there, with a compiler that takes 40 ms to load.
 */

const FOLDERS = [
  () => join(import.meta.dirname, '../node_modules/.cache/compiled'),
  // Where that cannot be written. Of this user, whatever HOME is: who can write to the folder has a say in what runs.
  // Neither is the system's folder for temporary files, to which everybody can write.
  () => join(userInfo().homedir, '.cache/meadow-server'),
]

FOLDERS.some((findFolder) => {
  try {
    return enableCompileCache(findFolder()).status !== constants.compileCacheStatus.FAILED
  } catch {
    return false // The user has no entry in the system's list.
  }
})
await import('../src/main.ts')
