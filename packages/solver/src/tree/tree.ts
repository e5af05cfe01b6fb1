import { comparePaths, type Path } from '@meadow/document'
import { checkpoint } from '@meadow/geometry/budget/budget'

/** A list of values at a path. Null is a missing value that keeps its index. */
export interface Branch<T> {
  readonly path: Path
  readonly values: readonly T[]
}

/** Branches in path order, with unique paths. Branches may be empty. Immutable. */
export interface Tree<T> {
  readonly branches: readonly Branch<T>[]
}

export const EMPTY_TREE: Tree<never> = { branches: [] }

/**
 * Creates a tree from branches in any order: sorts them by path and joins those with equal paths in their original
 * order. Takes n log n time in branches, linear time if they are sorted.
 */
export function createTree<T>(branches: readonly Branch<T>[]): Tree<T> {
  if (isInOrder(branches)) return { branches }
  const sorted = [...branches].sort((a, b) => {
    checkpoint()
    return comparePaths(a.path, b.path)
  })
  const merged: { path: Path; values: T[] }[] = []
  for (const { path, values } of sorted) {
    const last = merged.at(-1)
    if (!last || comparePaths(last.path, path) !== 0) merged.push({ path, values: [...values] })
    else for (const value of values) last.values.push(value)
  }
  return { branches: merged }
}

function isInOrder<T>(branches: readonly Branch<T>[]): boolean {
  for (let i = 1; i < branches.length; i++) {
    const [before, after] = [branches[i - 1], branches[i]]
    if (before && after && comparePaths(before.path, after.path) >= 0) return false
  }
  return true
}

export const FIRST_PATH: Path = [0]

/** A tree with one branch, by default `{0}`. */
export function createList<T>(values: readonly T[], path: Path = FIRST_PATH): Tree<T> {
  return { branches: [{ path, values }] }
}

export function countValues(tree: Tree<unknown>): number {
  let count = 0
  for (const { values } of tree.branches) count += values.length
  return count
}

/** The cost of a tree: its values and the indices of its paths. */
export function countWork(tree: Tree<unknown>): number {
  let count = 0
  for (const { path, values } of tree.branches) count += path.length + values.length
  return count
}

/** Maps each value; paths are unchanged. */
export function mapValues<T, R>(tree: Tree<T>, change: (value: T) => R): Tree<R> {
  return { branches: tree.branches.map(({ path, values }) => ({ path, values: values.map(change) })) }
}

/** Maps each path and joins branches with equal paths, in branch order. */
export function mapPaths<T>(tree: Tree<T>, change: (path: Path, index: number) => Path): Tree<T> {
  return createTree(tree.branches.map(({ path, values }, index) => ({ path: change(path, index), values })))
}

/** All values in branch order. */
export function listValues<T>(tree: Tree<T>): T[] {
  return tree.branches.flatMap(({ values }) => values)
}

/** The branch at a path, by binary search; undefined if it does not exist. */
export function findBranch<T>({ branches }: Tree<T>, path: Path): Branch<T> | undefined {
  let [low, high] = [0, branches.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const branch = branches[middle] as Branch<T>
    const order = comparePaths(branch.path, path)
    if (order === 0) return branch
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return undefined
}
