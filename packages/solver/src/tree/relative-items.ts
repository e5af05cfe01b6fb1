import type { Path } from '@meadow/document'
import { type Branch, findBranch, type Tree } from './tree.ts'

/** How far apart two items are: so much in each number of the path, and so much in the index. */
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

/** Reads an offset such as `{0;+1}[-2]`; undefined for what is none. */
export function findRelativeOffset(text: string): RelativeOffset | undefined {
  const [, path, index = '0'] = OFFSET.exec(text) ?? []
  const steps = path?.split(';')
  if (!steps?.every((step) => STEP.test(step))) return undefined
  return { path: steps.map(Number), index: Number(index) }
}

/**
 * Pairs each item of a tree with the one so far away in another, or in the same. Both results have the paths of the
 * first tree; what has no partner is left out, and so are branches without pairs. Wrapped paths go round among the
 * numbers that stand in their place, wrapped items round in their branch.
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

/** Number by number: the one so many further among those that follow the same numbers in the tree. */
function createWrappingSearch(
  tree: Tree<unknown>,
): (path: Path, steps: readonly number[]) => Path | undefined {
  // By the numbers before it: each number that follows them, with its place among these; numbers come in order.
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
