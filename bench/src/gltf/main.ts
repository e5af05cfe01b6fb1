import type { Solution, SolutionId } from '@meadow/contract'
import { drawModel, writeGlb, writeObj } from '@meadow/gltf'
import { encodeGeometry } from '@meadow/model'
import { readDemoDefinition } from '@meadow/server/src/features/demo/demo-definitions.ts'
import { createGraph } from '@meadow/server/src/testing/graph/create-graph.ts'
import { solve, toWireData } from '@meadow/solver'
import { mark, megabytes, milliseconds, table } from '../harness/report.ts'
import { median, time } from '../harness/statistics.ts'
import { writeBare } from './write-bare.ts'

/** The aim for the ratio of the time to write a GLB file to the time to write its triangles alone. */
const AIM = 2
const ROUNDS = 15

/** The graphs: one has few large values, and the other many small ones. */
const GRAPHS = {
  'the tower of the demo': () => readDemoDefinition('twisted-tower'),
  '2,000 boxes': () =>
    createGraph('Boxes', ({ group, add }) => {
      group('All', 'geometry')
      const steps = add('Series', { Count: 2000, Step: 3 }, 'Steps')
      const places = add('Construct Point', { 'X coordinate': steps }, 'Places')
      add('Center Box', [add('XY Plane', [places], 'Planes'), 1, 1, 1], 'Boxes')
    }),
}

const CASES = [
  ['one object for each value', Number.POSITIVE_INFINITY],
  ['by default', undefined],
] as const

function measure(name: string, makeGraph: () => Parameters<typeof solve>[0]): string[][] {
  const data = { solutionId: 'sol_1' as SolutionId, ...toWireData(solve(makeGraph()), encodeGeometry) }
  const facts = { includesGeometry: true, solvedAt: '', durationMs: 1, messages: [] }
  const solution: Solution = { data: data as Solution['data'], ...facts }
  const drawMs = time(() => drawModel(solution, { points: false, curves: false })).cpuMs
  const model = drawModel(solution, { points: false, curves: false })
  return CASES.map(([manner, mergeAbove]) => {
    const options = mergeAbove === undefined ? {} : { mergeAbove }
    const [bare, own, obj]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(time(() => writeBare(model)).cpuMs)
      own.push(time(() => writeGlb(model, options)).cpuMs)
      obj.push(time(() => writeObj(model)).cpuMs)
    }
    const [bareMs, ownMs] = [median(bare), median(own)]
    const times = ownMs / bareMs
    const bytes = writeGlb(model, options).length
    return [
      `${name}, ${manner}`,
      megabytes(bytes),
      milliseconds(drawMs),
      milliseconds(bareMs),
      milliseconds(ownMs),
      `${times.toFixed(2)} ${mark(times <= AIM)} ${AIM}`,
      milliseconds(median(obj)),
    ]
  })
}

const rows = Object.entries(GRAPHS).flatMap(([name, makeGraph]) => measure(name, makeGraph))
const head = ['Solution', 'MB', 'decode and draw, ms', 'bare triangles, ms', 'GLB, ms', 'times', 'OBJ, ms']
process.stdout.write(`${table(head, rows)}\n`)
