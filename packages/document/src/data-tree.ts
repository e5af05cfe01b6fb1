import type { DataTree, DataValue } from '@meadow/contract'
import { comparePaths, formatPath, type Path } from './path.ts'

/**
 * A data tree with its branches in path order.
 * Branches of one path become one branch, their values in the order given.
 */
export function createDataTree(
  branches: Iterable<{ path: Path; values: readonly (DataValue | null)[] }>,
): DataTree {
  const merged = new Map<string, { path: Path; values: (DataValue | null)[] }>()
  for (const { path, values } of branches) {
    const key = formatPath(path)
    const earlier = merged.get(key)
    if (!earlier) merged.set(key, { path, values: [...values] })
    else for (const value of values) earlier.values.push(value)
  }
  return {
    branches: [...merged]
      .sort(([, a], [, b]) => comparePaths(a.path, b.path))
      .map(([path, { values }]) => ({ path, values })),
  }
}
