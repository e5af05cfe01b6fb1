import type { Path } from '@meadow/document'
import { checkpoint } from '@meadow/geometry/budget/budget'
import type { Kind, KindContext, RunContext } from '../kinds/declaration/define-kind.ts'
import type { PortSpec } from '../kinds/declaration/ports.ts'
import { type Branch, createTree, EMPTY_TREE, FIRST_PATH, type Tree } from '../tree/tree.ts'
import { type MatchedInput, pick, planRuns, type RunGroup } from './plan-runs.ts'

/** An input of a kind with its unwrapped data. */
export interface KindInput extends MatchedInput {
  readonly port: PortSpec
}

export interface RunOptions {
  readonly context: RunContext
  /** Called with an error thrown by a run, whose outputs become null. If it throws itself, the solve ends. */
  onError(error: unknown): void
}

type Gathered = {
  push(group: RunGroup, path: Path, output: unknown): void
  close(group: RunGroup): void
  tree(): Tree<unknown>
}

/** Runs a kind for each match of its inputs and collects the results in one tree for each output. */
export function runKind(
  kind: Kind,
  inputs: readonly KindInput[],
  outputs: readonly PortSpec[],
  { context, onError }: RunOptions,
): Tree<unknown>[] {
  const { groups, appendsIndex } = planRuns(inputs)
  const gathered = outputs.map(({ access }) => GATHERERS[access](appendsIndex))
  // One object for all runs: kinds must not keep a reference to it.
  const runContext = { ...context, path: FIRST_PATH }
  for (const group of groups) {
    for (let run = 0; run < group.runs; run++) {
      context.reserve()
      const path = appendsIndex ? [...group.path, run] : group.path
      runContext.path = path
      const args = takeInputs(inputs, group, run)
      const results = args ? trySolve(kind, args, runContext, onError) : NOTHING
      for (const [i, gatherer] of gathered.entries()) gatherer.push(group, path, results[i])
    }
    for (const gatherer of gathered) gatherer.close(group)
  }
  return gathered.map((gatherer) => gatherer.tree())
}

const NOTHING: readonly unknown[] = []

function trySolve(
  kind: Kind,
  inputs: readonly unknown[],
  context: KindContext,
  onError: RunOptions['onError'],
): readonly unknown[] {
  try {
    return kind.solve(inputs, context)
  } catch (error) {
    onError(error)
    return NOTHING
  }
}

/** The arguments of one run; undefined if a required item is missing or null. */
function takeInputs(
  inputs: readonly KindInput[],
  group: RunGroup,
  run: number,
): readonly unknown[] | undefined {
  const args: unknown[] = []
  for (const [i, { port, tree }] of inputs.entries()) {
    const value = takeInput(port, tree, group.branches[i], run)
    if (value === MISSING) return undefined
    args.push(value)
  }
  return args
}

const MISSING = Symbol('missing')
const NO_VALUES: readonly never[] = []

function takeInput(
  port: PortSpec,
  tree: Tree<unknown>,
  branch: Branch<unknown> | undefined,
  run: number,
): unknown {
  if (port.access === 'tree') return tree
  if (port.access === 'list') {
    const values = branch?.values ?? NO_VALUES
    // Most kinds iterate a list once in each run.
    checkpoint(values.length)
    return values
  }
  const value = branch && pick(branch.values, run)
  if (value !== undefined && value !== null) return value
  if (value === null && port.takesNull) return null
  return port.isOptional ? undefined : MISSING
}

const GATHERERS: Readonly<Record<PortSpec['access'], (appendsIndex: boolean) => Gathered>> = {
  item: gatherItems,
  list: gatherLists,
  tree: gatherTrees,
}

/** Gathers a value for each run, in one branch for each group. */
function gatherItems(): Gathered {
  const branches: Branch<unknown>[] = []
  let values: unknown[] = []
  return {
    push: (_, __, output) => {
      values.push(output ?? null)
    },
    close: ({ path }) => {
      branches.push({ path, values })
      values = []
    },
    tree: () => createTree(branches),
  }
}

/** Gathers a branch for each run; for a group without runs, an empty branch at the path of the first run. */
function gatherLists(appendsIndex: boolean): Gathered {
  const branches: Branch<unknown>[] = []
  return {
    push: (_, path, output) => {
      branches.push({ path, values: (output ?? NO_VALUES) as readonly unknown[] })
    },
    close: ({ path, runs }) => {
      if (runs === 0) branches.push({ path: appendsIndex ? [...path, 0] : path, values: NO_VALUES })
    },
    tree: () => createTree(branches),
  }
}

/** Merges all trees with unchanged paths. */
function gatherTrees(): Gathered {
  const branches: Branch<unknown>[] = []
  return {
    push: (_, __, output) => {
      for (const branch of ((output ?? EMPTY_TREE) as Tree<unknown>).branches) branches.push(branch)
    },
    close: () => {},
    tree: () => createTree(branches),
  }
}
