import type { Path } from '@meadow/document'
import { type Branch, findBranch, type Tree } from './tree.ts'

/** The offset between two items, in each index of the path and in the index of the item. */
export interface RelativeOffset {
  readonly path: readonly number[]
  readonly index: number
}

export interface Wrapping {
  readonly wrapsPaths: boolean
  readonly wrapsItems: boolean
}

const OFFSET = /^\s*\{([^{}]*)\}\s*(?:\[\s*([+-]?\d{1,9})\s*\])?\s*$/
const STEP = /^\s*[+-]?\d{1,9}\s*$/

/** Parses an offset such as `{0;+1}[-2]`; undefined for invalid offsets. */
export function findRelativeOffset(text: string): RelativeOffset | undefined {
  const [, path, index = '0'] = OFFSET.exec(text) ?? []
  const steps = path?.split(';')
  if (!steps?.every((step) => STEP.test(step))) return undefined
  return { path: steps.map(Number), index: Number(index) }
}

/**
 * Pairs each item of a tree with the item at an offset in another tree, or in the same one. Both results have
 * the paths of the first tree, without items that have no partner and without empty branches. Wrapped paths
 * wrap around among the indices at their position, wrapped items around their branch.
 */
export function pairRelativeItems<A, B>(
  a: Tree<A>,
  b: Tree<B>,
  offset: RelativeOffset,
  { wrapsPaths, wrapsItems }: Wrapping,
): [Tree<A>, Tree<B>] {
  const findTarget = wrapsPaths ? createWrappingSearch(b) : (path: Path) => addSteps(path, offset.path)
  const pairs: [Branch<A>[], Branch<B>[]] = [[], []]
  for (const { path, values } of a.branches) {
    const targetPath = path.length === offset.path.length ? findTarget(path, offset.path) : undefined
    const target = targetPath && findBranch(b, targetPath)
    if (!target) continue
    const [own, other]: [A[], B[]] = [[], []]
    for (const [i, value] of values.entries()) {
      const index = resolveIndex(i + offset.index, target.values.length, wrapsItems)
      if (index === undefined) continue
      own.push(value)
      other.push(target.values[index] as B)
    }
    if (own.length === 0) continue
    pairs[0].push({ path, values: own })
    pairs[1].push({ path, values: other })
  }
  return [{ branches: pairs[0] }, { branches: pairs[1] }]
}

function addSteps(path: Path, steps: readonly number[]): Path {
  return path.map((number, i) => number + (steps[i] ?? 0))
}

function resolveIndex(index: number, length: number, wraps: boolean): number | undefined {
  if (wraps && length > 0) return ((index % length) + length) % length
  return index >= 0 && index < length ? index : undefined
}

/** Offsets each index among the indices that follow the same parent path in the tree. */
function createWrappingSearch(
  tree: Tree<unknown>,
): (path: Path, steps: readonly number[]) => Path | undefined {
  // This holds the child indices of each parent path, ascending, with their positions.
  const followers = new Map<string, Map<number, number>>()
  for (const { path } of tree.branches) {
    for (const [i, number] of path.entries()) {
      const key = path.slice(0, i).join(';')
      const indices = followers.get(key) ?? new Map<number, number>()
      if (!indices.has(number)) indices.set(number, indices.size)
      followers.set(key, indices)
    }
  }
  const numbersAt = new Map([...followers].map(([key, indices]) => [key, [...indices.keys()]] as const))
  return (path, steps) => {
    const found: number[] = []
    for (const [i, number] of path.entries()) {
      const key = found.join(';')
      const numbers = numbersAt.get(key) ?? []
      const index = followers.get(key)?.get(number)
      const wrapped =
        index === undefined ? undefined : resolveIndex(index + (steps[i] ?? 0), numbers.length, true)
      if (wrapped === undefined) return undefined
      found.push(numbers[wrapped] as number)
    }
    return found
  }
}
