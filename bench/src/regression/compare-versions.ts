import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reportProgress } from '../harness/command.ts'
import type { LoadOptions } from '../harness/load.ts'
import { listTree } from '../harness/process-figures.ts'
import { runToEnd } from '../harness/processes.ts'
import { loadChecked } from '../harness/rounds.ts'
import { percentile } from '../harness/statistics.ts'
import { listCases } from '../requests/cases.ts'
import type { Contender } from '../requests/contender.ts'
import { openMeadow } from '../requests/meadow.ts'
import { checkedRequests } from '../requests/measure.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import type { CachedTeam } from '../team/team-cache.ts'
import type { Counter } from './counter.ts'
import type { Pair } from './judge.ts'
import type { Options } from './options.ts'

/**
 * A version of the project with its team: each version creates its own one, with the same folders, names and contents.
 */
export interface Version {
  root: string
  cached: CachedTeam
}

/** Creates a team with the code of a version. */
export async function prepareVersion(root: string, folder: string, documents: number): Promise<Version> {
  await mkdir(folder, { recursive: true })
  const script = join(root, 'bench/src/team/build-team.ts')
  await runToEnd(process.execPath, [script, folder, String(documents)])
  const team: SyntheticTeam = JSON.parse(await readFile(join(folder, 'team.json'), 'utf8'))
  return { root, cached: { team, dataDir: join(folder, 'data') } }
}

/** Measures the costs of each case, one pair for each launch of both versions. */
export async function compareVersions(
  base: Version,
  own: Version,
  counter: Counter,
  options: Options,
): Promise<Map<string, Pair[]>> {
  const costs = new Map<string, Pair[]>()
  for (let launch = 1; launch <= options.launches; launch++) {
    reportProgress(`Launch ${launch} of ${options.launches}`)
    await using opened = new AsyncDisposableStack()
    const servers = {
      base: opened.use(await openMeadow('base', base.cached, { root: base.root })),
      own: opened.use(await openMeadow('own', own.cached, { root: own.root })),
    }
    const names = listNames(own.cached.team).filter(options.chosen)
    // The order may matter, so it is reversed in each launch.
    const order = launch % 2 === 0 ? (['base', 'own'] as const) : (['own', 'base'] as const)
    // Without this, the first case would be measured while the code that all cases share is still compiled.
    for (const server of Object.values(servers)) {
      for (const name of names.slice(0, 1)) await prepareRounds(name, server, counter, options)
    }
    for (const name of names) {
      const pair = await compareCase(name, servers, order, counter, options)
      costs.set(name, [...(costs.get(name) ?? []), pair])
    }
  }
  return costs
}

/** The searches that are left out because they are similar to others. */
const SKIPPED = /^search (two|all match|in a small|in a project, (one|without))/

const listNames = (team: SyntheticTeam): string[] =>
  listCases(team)
    .map(({ name }) => name)
    .filter((name) => !SKIPPED.test(name))

/**
 * The percentile of the rounds of a launch that counts. It is a low one, since other work on the machine makes rounds
 * slower, but never faster.
 */
const COUNTED = 0.25

/** Measures the costs in rounds that alternate between the versions. */
async function compareCase(
  name: string,
  servers: { base: Contender; own: Contender },
  order: readonly ('base' | 'own')[],
  counter: Counter,
  options: Options,
): Promise<Pair> {
  const costs = { base: [] as number[], own: [] as number[] }
  const rounds: (() => Promise<unknown>)[] = []
  for (const version of order) {
    const measureRound = await prepareRounds(name, servers[version], counter, options)
    rounds.push(async () => costs[version].push(await measureRound()))
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const measureRound of rounds) await measureRound()
  }
  return { base: percentile(costs.base, COUNTED), own: percentile(costs.own, COUNTED) }
}

/** The load that lasts until the code of a case is compiled, even on a busy machine. */
const WARM_UP = { durationMs: 1_500, maxRequests: 15_000 }

/** Warms a server up, and returns the function that measures the cost of a request in one round. */
async function prepareRounds(
  name: string,
  contender: Contender,
  counter: Counter,
  { connections, roundMs }: Options,
): Promise<() => Promise<number>> {
  const target = await checkedRequests(contender, name)
  const pids = listTree(target.pid!)
  const send = async (limits: Pick<LoadOptions, 'durationMs' | 'maxRequests'>) => {
    const options = { connections, ...limits }
    const { responses } = await loadChecked(contender.name, target, target.status, options)
    return responses.length
  }
  await send(WARM_UP)
  return async () => {
    let sent = 0
    const cost = await counter.count(pids, async () => {
      sent = await send({ durationMs: roundMs })
    })
    return cost / sent
  }
}
