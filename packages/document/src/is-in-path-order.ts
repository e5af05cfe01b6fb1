import type { DataTree } from '@meadow/contract'
import { comparePaths, findPath, formatPath, type Path } from './path.ts'

/** Whether each branch has a path as paths are written, after the paths before it (decision 22). */
export function isInPathOrder({ branches }: DataTree): boolean {
  let last: Path | undefined
  for (const { path } of branches) {
    const found = findPath(path)
    if (!found || formatPath(found) !== path) return false
    if (last && comparePaths(last, found) >= 0) return false
    last = found
  }
  return true
}
