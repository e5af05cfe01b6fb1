import type { DataTree, DataValue, JsonNumber } from '@meadow/contract'
import { comparePaths, findPath, formatPath, type Path } from './path.ts'

/**
 * A data tree with its branches in path order.
 * Branches of one path become one branch, their values in the given order.
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

/** The JSON form of a number: itself, or `NaN`, `Infinity`, `-Infinity` as text (decision 22). */
export function encodeNumber(value: number): JsonNumber {
  return Number.isFinite(value) ? value : (String(value) as JsonNumber)
}

export function decodeNumber(value: JsonNumber): number {
  return Number(value)
}

/** Whether the branches have distinct paths in canonical form and in path order (decision 22). */
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
