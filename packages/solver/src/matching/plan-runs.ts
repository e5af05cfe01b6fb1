import type { Path } from '@meadow/document'
import type { Access } from '../kinds/declaration/ports.ts'
import { type Branch, FIRST_PATH, type Tree } from '../tree/tree.ts'

export interface MatchedInput {
  readonly access: Access
  readonly tree: Tree<unknown>
  /** The outputs use the paths of this input. */
  readonly isPrincipal?: boolean
}

/** Runs with the same path, one for each item of the longest matched branch. */
export interface RunGroup {
  /** `{A}`: where item outputs go. */
  readonly path: Path
  /** The branch of each input; undefined for tree access and for inputs without branches. */
  readonly branches: readonly (Branch<unknown> | undefined)[]
  /** The number of runs; zero if the branch has no items, so that the outputs get an empty branch. */
  readonly runs: number
}

export interface RunPlan {
  readonly groups: readonly RunGroup[]
  /** Whether list and tree outputs of run i go to `{A;i}` rather than `{A}`. */
  readonly appendsIndex: boolean
}

/**
 * Plans which branches are matched, how often the kind runs, and the paths of its outputs (rules M-1 to M-8).
 */
export function planRuns(inputs: readonly MatchedInput[]): RunPlan {
  const paths = findLeadingPaths(inputs)
  let count: number | undefined
  for (const { access, tree } of inputs) {
    const { length } = tree.branches
    if (access !== 'tree' && length > 0) count = Math.max(count ?? 0, length)
  }
  const groups = Array.from({ length: count ?? 1 }, (_, i): RunGroup => {
    const branches = inputs.map(({ access, tree }) =>
      access === 'tree' ? undefined : pick(tree.branches, i),
    )
    return { path: findGroupPath(paths, i), branches, runs: countRuns(inputs, branches) }
  })
  return { groups, appendsIndex: inputs.some(({ access }) => access === 'item') }
}

/** The rank of an input, compared from the first number to the last; the highest rank leads. */
interface Candidate {
  readonly paths: readonly Path[]
  readonly rank: readonly number[]
}

/**
 * The paths of the leading input: the principal one, else the deepest one, that is, with the longest path. Of equally
 * deep ones, the last with several branches leads, else the first. A tree access input has one branch, its first. It
 * loses ties against matched inputs, and does not lead beside a matched input with several branches.
 */
function findLeadingPaths(inputs: readonly MatchedInput[]): readonly Path[] {
  let leading: Candidate | undefined
  const hasSeveral = inputs.some(({ access, tree }) => access !== 'tree' && tree.branches.length > 1)
  for (const { access, tree, isPrincipal } of inputs) {
    const isMatched = access !== 'tree'
    if (hasSeveral && !isMatched && !isPrincipal) continue
    const counted = isMatched ? tree.branches : tree.branches.slice(0, 1)
    if (counted.length === 0) continue
    const paths = counted.map(({ path }) => path)
    const depth = paths.reduce((longest, { length }) => Math.max(longest, length), 0)
    const rank = [isPrincipal ? 1 : 0, depth, paths.length > 1 ? 1 : 0, isMatched ? 1 : 0]
    const winsTies = paths.length > 1
    if (!leading || outranks(rank, leading.rank) || (winsTies && !outranks(leading.rank, rank))) {
      leading = { paths, rank }
    }
  }
  return leading?.paths ?? []
}

/** Path i of the leading input; after its last one, the last number of that counts up. */
function findGroupPath(paths: readonly Path[], index: number): Path {
  const extra = index - paths.length + 1
  const path = pick(paths, index)
  if (!path) return FIRST_PATH
  return extra > 0 ? [...path.slice(0, -1), (path.at(-1) ?? 0) + extra] : path
}

function outranks(a: readonly number[], b: readonly number[]): boolean {
  const decisive = a.findIndex((value, i) => value !== b[i])
  return decisive >= 0 && (a[decisive] as number) > (b[decisive] as number)
}

/** Repeats the last value (longest list). */
export function pick<T>(values: readonly T[], index: number): T | undefined {
  return values[Math.min(index, values.length - 1)]
}

function countRuns(inputs: readonly MatchedInput[], branches: RunGroup['branches']): number {
  let count: number | undefined
  for (const [i, branch] of branches.entries()) {
    if (branch && inputs[i]?.access === 'item') count = Math.max(count ?? 0, branch.values.length)
  }
  return count ?? 1
}
