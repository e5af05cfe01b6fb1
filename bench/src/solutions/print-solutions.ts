import { aimed, count, mark, megabytes, milliseconds, table } from '../harness/report.ts'
import { median } from '../harness/statistics.ts'
import { printPause } from './longest-pause.ts'
import { printBodies } from './measure-bodies.ts'
import type { SolutionFigures } from './measure-solutions.ts'
import type { ProcessCost } from './process-cost.ts'
import { printSlowReaders } from './slow-readers.ts'
import type { SolveCost } from './solve-cost.ts'
import type { SolverGrowth } from './solver-growth.ts'

const AIMS = { geometryFactor: 10, firstByteMs: 150, beyondSolverMs: 15 }

/** Prints one section per measured part. */
export function printSolutions({
  bodies,
  slowReaders,
  geometry,
  solver,
  solves,
  processes,
  pause,
}: SolutionFigures): string[] {
  return [
    ...(bodies.length > 0 ? [`## Bodies of solutions\n\n${printBodies(bodies)}`] : []),
    ...(slowReaders ? [`## Memory with slow readers\n\n${printSlowReaders(slowReaders)}`] : []),
    ...(geometry ? [`## Reading geometry\n\n${describeGeometry(geometry)}`] : []),
    ...(solver ? [`## The solver\n\n${solverTable(solver)}`] : []),
    ...(solves ? [`## From the request of a solve to its result\n\n${solvesTable(solves)}`] : []),
    ...(processes ? [`## A process beside a thread\n\n${processTable(processes)}`] : []),
    ...(pause ? [`## The longest pause\n\n${printPause(pause)}`] : []),
  ]
}

function describeGeometry(reading: NonNullable<SolutionFigures['geometry']>): string {
  const { objects, fileBytes, walkerMs, libraryMs, factor, firstRequestMs, firstByteMs } = reading
  return (
    `${count(objects)} objects in a model file of ${megabytes(fileBytes)} MB: ${milliseconds(median(walkerMs))} ms by the ` +
    `walker, ${milliseconds(median(libraryMs))} ms by rhino3dm, ${factor.toFixed(1)} times as much ` +
    `(aim: ${aimed(AIMS.geometryFactor, factor >= AIMS.geometryFactor)}). The first request, which also packs and stores ` +
    `the body: ${milliseconds(firstRequestMs)} ms, of which ${milliseconds(firstByteMs)} until the first byte of the body ` +
    `(aim: ${aimed(AIMS.firstByteMs, firstByteMs <= AIMS.firstByteMs)}).`
  )
}

function solverTable(growth: readonly SolverGrowth[]): string {
  return table(
    ['nodes', 'values of each', 'ms', 'CPU ns per value and node'],
    growth.map(({ nodes, valuesPerNode, ms, nsPerValue }) => [
      count(nodes),
      count(valuesPerNode),
      milliseconds(ms),
      count(nsPerValue),
    ]),
  )
}

/** Formats a table of the processor time of one solve, in milliseconds. */
function solvesTable(solves: readonly SolveCost[]): string {
  return table(
    ['document', 'KB of JSON', 'parent ms', 'child ms', 'solver alone ms', 'beyond it ms, aim'],
    solves.map(({ name, jsonBytes, parentMs, childMs, solverMs }) => {
      const beyondMs = parentMs + childMs - solverMs
      const isGood = beyondMs <= AIMS.beyondSolverMs
      return [
        name,
        count(jsonBytes / 1000),
        ...[parentMs, childMs, solverMs].map(milliseconds),
        `${milliseconds(beyondMs)} ${mark(isGood)} ${AIMS.beyondSolverMs}`,
      ]
    }),
  )
}

function processTable({ start, transfer, note100kCpuMs }: ProcessCost): string {
  const row = (name: string, { process, thread }: ProcessCost['start']) => [
    name,
    milliseconds(median(process)),
    milliseconds(median(thread)),
    process.map(milliseconds).join(' '),
    thread.map(milliseconds).join(' '),
  ]
  const rows = [row('start, to the first answer', start), row('10 MB there and back', transfer)]
  return (
    `${table(['', 'process ms', 'thread ms', 'each process', 'each thread'], rows)}\n\n` +
    `To note a hundred thousand places takes a job ${milliseconds(note100kCpuMs)} ms of processor time.`
  )
}
