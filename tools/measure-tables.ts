import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
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

/** How many branches the values are in. */
const SHAPES = { 'one branch': 1, '1,000 branches': 1000, '100,000 branches': 100_000 }

const [, , format, shape] = process.argv
if (format !== undefined && shape !== undefined) measureOne(format, shape)
else measureAll()

function measureAll(): void {
  for (const format of Object.keys(FORMATS)) {
    for (const shape of Object.keys(SHAPES)) {
      const runs = Array.from({ length: RUNS }, () => runOnce(format, shape))
      const times = runs.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)
      const megabytes = (runs[0]!.bytes / 1e6).toFixed(1)
      console.log(`${format}, ${shape}: ${times[1]} ms (${times.join(', ')}), ${megabytes} MB`)
    }
  }
}

function runOnce(format: string, shape: string): { cpuMs: number; bytes: number } {
  const self = fileURLToPath(import.meta.url)
  return JSON.parse(execFileSync(process.execPath, [self, format, shape], { encoding: 'utf8' }))
}

function measureOne(format: string, shape: string): void {
  const write = FORMATS[format as keyof typeof FORMATS]
  const source = createSource(SHAPES[shape as keyof typeof SHAPES])
  const before = process.cpuUsage()
  const { length } = write(source)
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ cpuMs: Math.round((user + system) / 1000), bytes: length }))
}

/** Numbers of one node, with a document that names it. */
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
