import { runScript } from '../bench/src/harness/processes.ts'
import { median, time } from '../bench/src/harness/statistics.ts'
import { toArrow, toCsv, toParquet } from '../packages/tables/src/index.ts'

/*
 * The processor time that a table of a million values takes, each format and shape in a new process: from the parsed
 * answer of the API to the bytes of the file.
 *
 *   npm run measure:tables
 */

const VALUES = 1_000_000
const RUNS = 3

const FORMATS = { parquet: toParquet, csv: toCsv, arrow: toArrow }

/** The number of branches that the values are in. */
const SHAPES = { 'one branch': 1, '1,000 branches': 1000, '100,000 branches': 100_000 }

const [, , format, shape] = process.argv
if (format !== undefined && shape !== undefined) measureOne(format, shape)
else await measureAll()

async function measureAll(): Promise<void> {
  for (const format of Object.keys(FORMATS)) {
    for (const shape of Object.keys(SHAPES)) {
      const runs: Run[] = []
      for (let run = 0; run < RUNS; run++) runs.push(await runScript(new URL(import.meta.url), format, shape))
      const times = runs.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)
      const megabytes = (runs[0]!.bytes / 1e6).toFixed(1)
      console.log(`${format}, ${shape}: ${median(times)} ms (${times.join(', ')}), ${megabytes} MB`)
    }
  }
}

interface Run {
  cpuMs: number
  bytes: number
}

function measureOne(format: string, shape: string): void {
  const write = FORMATS[format as keyof typeof FORMATS]
  const source = createSource(SHAPES[shape as keyof typeof SHAPES])
  let bytes = 0
  const { cpuMs } = time(() => {
    bytes = write(source).length
  })
  console.log(JSON.stringify({ cpuMs: Math.round(cpuMs), bytes } satisfies Run))
}

/** Creates a source with the numbers of one node, and a document that names it. */
function createSource(branchCount: number) {
  const number = (value: number) => ({ type: 'number', value: Math.sin(value) * 100 })
  const branches = Array.from({ length: branchCount }, (_, branch) => ({
    path: `{0;${branch}}`,
    values: Array.from({ length: VALUES / branchCount }, (_, index) => number(branch * 7919 + index)),
  }))
  const port = { name: 'Result', nickName: 'R' }
  return {
    solution: {
      data: { solutionId: 'solution', node: { port: { branches } } },
      solvedAt: '2026-11-20T09:30:00.000Z',
    },
    document: {
      id: 'document',
      name: 'Document',
      nodes: { node: { name: 'Series', nickName: '', ports: { port } } },
    },
  }
}
