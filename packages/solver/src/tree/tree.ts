import { comparePaths, type Path } from '@meadow/document'
import { checkpoint } from '../budget/budget.ts'

/** A list of values at a path. Null is an absent value that keeps its index. */
export interface Branch<T> {
  readonly path: Path
  readonly values: readonly T[]
}

/** Branches in path order, each path once. Branches may be empty. Never changed once made. */
export interface Tree<T> {
  readonly branches: readonly Branch<T>[]
}

export const EMPTY_TREE: Tree<never> = { branches: [] }

/**
 * A tree of branches in any order: sorted by path; those of one path become one, their values in the order given.
 * Takes time n log n in branches, and n where they are in order already.
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

/** One branch, `{0}` unless told otherwise. */
export function createList<T>(values: readonly T[], path: Path = FIRST_PATH): Tree<T> {
  return { branches: [{ path, values }] }
}

export function countValues(tree: Tree<unknown>): number {
  let count = 0
  for (const { values } of tree.branches) count += values.length
  return count
}

/** What holding a tree costs: its values, and the numbers of its paths. */
export function countWork(tree: Tree<unknown>): number {
  let count = 0
  for (const { path, values } of tree.branches) count += path.length + values.length
  return count
}

/** Every value changed by itself, paths kept. */
export function mapValues<T, R>(tree: Tree<T>, change: (value: T) => R): Tree<R> {
  return { branches: tree.branches.map(({ path, values }) => ({ path, values: values.map(change) })) }
}

/** Every path changed; branches that then share one are joined in the order of the branches before. */
export function mapPaths<T>(tree: Tree<T>, change: (path: Path, index: number) => Path): Tree<T> {
  return createTree(tree.branches.map(({ path, values }, index) => ({ path: change(path, index), values })))
}

/** All values in branch order. */
export function listValues<T>(tree: Tree<T>): T[] {
  return tree.branches.flatMap(({ values }) => values)
}

/** The branch at a path; undefined where the tree has none. Takes time log n. */
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
