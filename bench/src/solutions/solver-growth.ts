import { solve } from '@meadow/solver'
import { median, time } from '../harness/statistics.ts'
import { longLists } from './graphs.ts'

/** The time to solve graphs that differ in one dimension. */
export interface SolverGrowth {
  nodes: number
  /** The number of input and output values of each node. */
  valuesPerNode: number
  ms: number
  /** The processor time per output value in nanoseconds, which hardly depends on the load of the machine. */
  nsPerValue: number
}

const REPETITIONS = 5
const SHAPES = [
  [1_000, 250],
  [1_000, 1_000],
  [1_000, 4_000],
  [250, 1_000],
  [4_000, 1_000],
  [4, 1_000_000],
] as const

// The measurement runs in a separate process, with the shapes interleaved.
const runs = SHAPES.map(([nodes, valuesPerNode]) => ({
  nodes,
  valuesPerNode,
  graph: longLists(nodes, valuesPerNode),
  ms: [] as number[],
  cpuMs: [] as number[],
}))
for (let repetition = -1; repetition < REPETITIONS; repetition++) {
  for (const { graph, ms, cpuMs } of runs) {
    const taken = time(() => solve(graph))
    if (repetition < 0) continue
    ms.push(taken.ms)
    cpuMs.push(taken.cpuMs)
  }
}
const growth = runs.map(
  ({ nodes, valuesPerNode, ms, cpuMs }): SolverGrowth => ({
    nodes,
    valuesPerNode,
    ms: median(ms),
    nsPerValue: (1e6 * median(cpuMs)) / (nodes * valuesPerNode),
  }),
)
process.stdout.write(JSON.stringify(growth))
