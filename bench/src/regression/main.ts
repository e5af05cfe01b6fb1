import { join } from 'node:path'
import { type Outcome, openFolder, reportProgress, runCommand } from '../harness/command.ts'
import { ROOT } from '../harness/meadow.ts'
import { table } from '../harness/report.ts'
import { checkOut, findBase } from './checkout.ts'
import { compareVersions, prepareVersion } from './compare-versions.ts'
import { chooseCounter } from './counter.ts'
import { type Judgement, judge } from './judge.ts'
import { HELP, type Options, readOptions } from './options.ts'

async function run(options: Options): Promise<Outcome> {
  if (process.platform !== 'linux')
    throw new Error('Costs of processes are read from /proc, which only Linux has.')
  const commit = findBase(options.base)
  await using opened = new AsyncDisposableStack()
  const { root } = opened.use(await checkOut(commit))
  const folder = opened.use(await openFolder('bench-regression'))
  reportProgress(`Creating a team of ${options.documents} documents with each version`)
  const base = await prepareVersion(root, join(folder.path, 'base'), options.documents)
  const own = await prepareVersion(ROOT, join(folder.path, 'own'), options.documents)
  const counter = chooseCounter()
  const costs = await compareVersions(base, own, counter, options)
  const judged = [...costs].map(([name, launches]) => ({ name, launches, ...judge(launches) }))
  const { unit } = counter
  return {
    text: options.json
      ? JSON.stringify({ base: commit, unit, cases: judged }, null, 1)
      : printJudgements(judged, commit, unit),
    code: judged.some(({ verdict }) => verdict === 'slower') ? 1 : 0,
  }
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

await runCommand(HELP, readOptions, run)
