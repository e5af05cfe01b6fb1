import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../shared/format.ts'
import { reportProgress } from '../shared/progress.ts'
import { checkOut, findBase, ROOT } from './checkout.ts'
import { compareVersions, prepareVersion } from './compare-versions.ts'
import { chooseCounter } from './counter.ts'
import { type Judgement, judge } from './judge.ts'
import { HELP, type Options, readOptions } from './options.ts'

// A process that is ended by a signal runs no exit handlers, and the servers and the checkout would stay.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

/** Prints the comparison; returns the exit code. */
async function run(options: Options): Promise<number> {
  if (process.platform !== 'linux')
    throw new Error('Costs of processes are read from /proc, which only Linux has.')
  const commit = findBase(options.base)
  await using opened = new AsyncDisposableStack()
  const { root } = opened.use(checkOut(commit))
  const folder = await mkdtemp(join(tmpdir(), 'meadow-bench-regression-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  reportProgress(`Creating a team of ${options.documents} documents with each version`)
  const base = await prepareVersion(root, join(folder, 'base'), options.documents)
  const own = await prepareVersion(ROOT, join(folder, 'own'), options.documents)
  const counter = chooseCounter()
  const costs = await compareVersions(base, own, counter, options)
  const judged = [...costs].map(([name, launches]) => ({ name, launches, ...judge(launches) }))
  const slower = judged.filter(({ verdict }) => verdict === 'slower')
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ base: commit, unit: counter.unit, cases: judged }, null, 1)}\n`
      : `${printJudgements(judged, commit, counter.unit)}\n`,
  )
  return slower.length > 0 ? 1 : 0
}

function printJudgements(
  judged: readonly (Judgement & { name: string })[],
  commit: string,
  unit: string,
): string {
  const rows = judged.map(({ name, base, own, change, noise, verdict }) => [
    name,
    cost(base),
    cost(own),
    `${change < 0 ? '−' : '+'}${percent(Math.abs(change))}`,
    `±${percent(noise)}`,
    verdict === 'slower' ? '✗ slower' : verdict === 'faster' ? '✓ faster' : '',
  ])
  const slower = judged.filter(({ verdict }) => verdict === 'slower')
  return [
    `${unit === 'µs' ? 'Processor time of one request in µs' : 'Instructions of one request'}, at ${commit} and in the working tree:`,
    table(['case', commit, 'here', 'change', 'noise', ''], rows),
    slower.length === 0
      ? 'Nothing became slower.'
      : `Slower beyond noise: ${slower.map(({ name }) => name).join('; ')}.`,
  ].join('\n\n')
}

const cost = (value: number) => (value < 10_000 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const percent = (fraction: number) => `${(fraction * 100).toFixed(1)} %`

const options = readOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(HELP)
else process.exitCode = await run(options)
