import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What no build is made of. */
const NO_PART = ['**/*.test.ts', '**/testing/**']

/** Whether a file is missing, or older than one of those that these patterns find. All paths are below `root`. */
export function isStale(root: string, file: string, madeOf: readonly string[]): boolean {
  const newest = globSync(madeOf, { cwd: root, exclude: NO_PART }).map((path) => changedAt(join(root, path)))
  return Math.max(...newest) > changedAt(join(root, file))
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
