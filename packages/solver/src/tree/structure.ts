import type { Path } from '@meadow/document'
import { type Branch, createList, createTree, FIRST_PATH, listValues, mapPaths, type Tree } from './tree.ts'

/** Grafts: value i of `{A}` moves to `{A;i}`. An empty branch becomes `{A;0}`. */
export function graft<T>(tree: Tree<T>): Tree<T> {
  const branches: Branch<T>[] = []
  for (const { path, values } of tree.branches) {
    if (values.length === 0) branches.push({ path: [...path, 0], values })
    for (const [i, value] of values.entries()) branches.push({ path: [...path, i], values: [value] })
  }
  return createTree(branches)
}

/** Flattens into one branch, in branch order. A tree without branches stays empty. */
export function flatten<T>(tree: Tree<T>, path: Path = FIRST_PATH): Tree<T> {
  if (tree.branches.length === 0) return tree
  return createList(listValues(tree), path)
}

/**
 * Simplifies: removes the indices that all paths have in common at the same position, with `front` only leading
 * ones. Paths keep at least one index: if the shortest path would become empty, all keep their first
 * index. A single branch is unchanged.
 */
export function simplify<T>(tree: Tree<T>, { front = false } = {}): Tree<T> {
  const [first, ...others] = tree.branches
  if (!first || others.length === 0) return tree
  const shortest = others.reduce((least, { path }) => Math.min(least, path.length), first.path.length)
  const isCommonAt: boolean[] = []
  for (let i = 0; i < shortest; i++) {
    const isCommon = others.every(({ path }) => path[i] === first.path[i])
    if (!isCommon && front) break
    isCommonAt.push(isCommon)
  }
  if (isCommonAt.length === shortest && isCommonAt.every(Boolean)) isCommonAt[0] = false
  return mapPaths(tree, (path) => path.filter((_, i) => !isCommonAt[i]))
}

/** The values of each branch in reverse order. */
export function reverse<T>(tree: Tree<T>): Tree<T> {
  return { branches: tree.branches.map(({ path, values }) => ({ path, values: values.toReversed() })) }
}

/** Merges trees: branches with the same path are joined in the order of the trees. */
export function merge<T>(trees: readonly Tree<T>[]): Tree<T> {
  const [first, ...others] = trees.filter(({ branches }) => branches.length > 0)
  if (!first) return { branches: [] }
  if (others.length === 0) return first
  return createTree([first, ...others].flatMap(({ branches }) => branches))
}

/**
 * Removes `depth` indices from the end of each path and joins branches with equal paths. Shorter paths are
 * dropped.
 */
export function trim<T>(tree: Tree<T>, depth: number): Tree<T> {
  return depth <= 0 ? tree : shiftPaths(tree, -depth)
}

/**
 * Removes indices from paths: from the start for a positive `offset`, from the end for a negative one, and
 * joins branches with equal paths. Branches with too short paths are dropped.
 */
export function shiftPaths<T>(tree: Tree<T>, offset: number): Tree<T> {
  if (offset === 0) return tree
  const deepEnough = { branches: tree.branches.filter(({ path }) => path.length > Math.abs(offset)) }
  return mapPaths(deepEnough, (path) =>
    offset > 0 ? path.slice(offset) : path.slice(0, path.length + offset),
  )
}

/**
 * Transposes: branch i has value i of every branch, null for missing values. The paths are those of the tree
 * with the one differing index renumbered; for a single branch the last index. Undefined where paths differ in
 * length or in several indices.
 */
export function flip<T>(tree: Tree<T>): Tree<T | null> | undefined {
  const [first, ...others] = tree.branches
  if (!first) return tree
  if (others.some(({ path }) => path.length !== first.path.length)) return undefined
  const differingIndices = first.path
    .map((_, index) => index)
    .filter((index) => others.some(({ path }) => path[index] !== first.path[index]))
  if (differingIndices.length > 1) return undefined
  const [index = first.path.length - 1] = differingIndices
  const width = tree.branches.reduce((widest, { values }) => Math.max(widest, values.length), 0)
  return createTree(
    Array.from({ length: width }, (_, column) => ({
      path: first.path.with(index, column),
      values: tree.branches.map(({ values }) => (column < values.length ? (values[column] as T) : null)),
    })),
  )
}

/**
 * Distributes values into branches as long as those of `guide`. Ends at the first branch that cannot be filled;
 * remaining values are dropped.
 */
export function unflatten<T>(values: readonly T[], guide: Tree<unknown>): Tree<T> {
  const branches: Branch<T>[] = []
  let taken = 0
  for (const {
    path,
    values: { length },
  } of guide.branches) {
    if (taken + length > values.length) break
    branches.push({ path, values: values.slice(taken, taken + length) })
    taken += length
  }
  return { branches }
}
