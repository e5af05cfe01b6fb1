import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@meadow/contract'
import { openFolder } from '../../harness/command.ts'
import { type MeadowServer, startMeadow } from '../../harness/meadow.ts'
import { type MemoryFigures, watchMemory } from '../../harness/memory-watch.ts'
import { type HelperProcess, startHelper } from '../../harness/processes.ts'
import { sendRequest } from '../../harness/request.ts'
import { median, percentile } from '../../harness/statistics.ts'
import type { Attack, AttackTarget, Strength, Tally } from '../attacks/attack.ts'
import { type AttackedDocuments, buildAttackedTeams, LARGE_SIZES } from '../teams/teams.ts'
import type { AttackTask } from './attacker.ts'
import { type BystanderTask, type Phase, WORK_KINDS, type WorkKind } from './bystander.ts'

/** The duration of each part of a run. */
export interface Pace extends Strength {
  /** The time of normal work that is not measured. */
  warmUpMs: number
  /** The time of normal work that is measured. */
  normalMs: number
  /** The time in which the memory has to be released. */
  afterMs: number
}

export interface Times {
  count: number
  medianMs: number
  worstMs: number
}

export interface AttackFigures {
  family: Attack['family']
  name: string
  store: 'sqlite' | 'postgres'
  seconds: number
  tally: Pick<Tally, 'sent' | 'answers' | 'faults'>
  /** Latencies of the other team; kinds of work without results are missing. */
  normal: Partial<Record<WorkKind, Times>>
  attacked: Partial<Record<WorkKind, Times>>
  /** Wrong or missing responses during and after the attack; the first of them as messages. */
  wrong: number
  examples: string[]
  retried: number
  memory: MemoryFigures
  /** The exit code or signal of the server; undefined while it runs, as it should. */
  ended: string | undefined
}

/** A server with teams at work, on which attacks are run. Disposal deletes its data. */
export interface Testbed extends AsyncDisposable {
  run(attack: Attack, pace: Pace): Promise<AttackFigures>
  /** Stops the work; returns the acknowledged edits that were lost. */
  finish(): Promise<string[]>
}

export interface TestbedOptions extends Pick<Attack, 'server' | 'outageMs' | 'bothWork'>, AttackedDocuments {
  databaseUrl?: string | undefined
}

const STOP_SECONDS = 5
/** The time in milliseconds after which a process has hung, however busy the machine is. */
const TIMEOUT_MS = 300_000

export async function openTestbed(options: TestbedOptions): Promise<Testbed> {
  const { databaseUrl, outageMs, bothWork } = options
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await openFolder('attack'))
  const dataDir = join(folder.path, 'data')
  const teams = await buildAttackedTeams({ dataDir, databaseUrl }, options)
  const server = await startMeadow({
    ...{ dataDir, databaseUrl, logFile: join(folder.path, 'log') },
    ...options.server,
    env: {
      MEADOW_STOP_NOTICE_SECONDS: '0',
      MEADOW_STOP_GRACE_SECONDS: `${STOP_SECONDS}`,
      ...options.server?.env,
    },
  })
  opened.defer(() => stopServer(server))
  const { host, port } = server
  const target: AttackTarget = { host, port, databaseUrl, teams }
  const attacker = opened.use(startHelper(new URL('attacker.ts', import.meta.url)))
  const bystander = new URL('bystander.ts', import.meta.url)
  const working = [opened.use(startHelper(bystander))]
  if (bothWork) working.push(opened.use(startHelper(bystander)))
  const mayBeDown = outageMs !== undefined
  await Promise.all(
    working.map((helper, index) => {
      const team = index === 0 ? teams.bystander : teams.attacker
      return runBystander(helper, { do: 'start', host, port, team, mayBeDown })
    }),
  )
  await warmCaches(target)
  const closing = opened.move()
  return {
    run: (attack, pace) => runAttack(attack, pace, { server, target, attacker, working }),
    finish: async () => (await Promise.all(working.map(finish))).flat(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

interface TestbedParts {
  server: MeadowServer
  target: AttackTarget
  attacker: HelperProcess
  /** The bystander, and the attacking team if it works too. */
  working: readonly HelperProcess[]
}

async function runAttack(
  attack: Attack,
  pace: Pace,
  { server, target, attacker, working }: TestbedParts,
): Promise<AttackFigures> {
  using memory = watchMemory(server.pid)
  const take = () => Promise.all(working.map((helper) => runBystander<Phase>(helper, { do: 'take' })))
  await sleep(pace.warmUpMs)
  await take()
  await sleep(pace.normalMs)
  const [normal] = await take()
  memory.begin()

  const startedAt = performance.now()
  const tally = await runAttacker(attacker, attack, target, pace)
  const seconds = (performance.now() - startedAt) / 1000
  const attacked = await take()
  const figures = await memory.end(pace.afterMs)
  const phases = [...attacked, ...(await take())]
  return {
    family: attack.family,
    name: attack.name,
    store: target.databaseUrl === undefined ? 'sqlite' : 'postgres',
    seconds,
    tally,
    normal: timesOf(normal!),
    attacked: timesOf(attacked[0]!),
    wrong: phases.reduce((sum, { wrong }) => sum + wrong, 0),
    examples: phases.flatMap(({ examples }) => examples).slice(0, 5),
    retried: phases.reduce((sum, { retried }) => sum + retried, 0),
    memory: figures,
    ended: server.ended,
  }
}

const runBystander = <T>(helper: HelperProcess, task: BystanderTask): Promise<T> =>
  helper.run<T>(task, TIMEOUT_MS)

/** Reads the attacker's documents before the attack, so that the caches of the server do not count as growth. */
async function warmCaches({ host, port, teams }: AttackTarget): Promise<void> {
  const { token, large } = teams.attacker
  const headers = { authorization: `Bearer ${token}` }
  for (const size of Object.keys(LARGE_SIZES) as (keyof typeof LARGE_SIZES)[]) {
    for (const path of ['', '/solution']) {
      const request = { path: `${API_PREFIX}/documents/${large[size]}${path}`, headers }
      const response = await sendRequest({ host, port }, request)
      if (response.status !== 200) throw new Error(`A document of ${size} answered ${response.status}.`)
    }
  }
}

async function runAttacker(
  attacker: HelperProcess,
  { name }: Attack,
  target: AttackTarget,
  { share, durationMs }: Pace,
): Promise<AttackFigures['tally']> {
  const task: AttackTask = { name, target, strength: { share, durationMs } }
  try {
    return await attacker.run(task, durationMs + 4 * TIMEOUT_MS)
  } catch (error) {
    return { sent: 0, answers: {}, faults: [(error as Error).message] }
  }
}

/** Stops the work; returns lost edits, or the error when the document cannot be opened. */
async function finish(helper: HelperProcess): Promise<string[]> {
  try {
    return await runBystander<string[]>(helper, { do: 'finish' })
  } catch (error) {
    return [`unknown, since ${(error as Error).message}`]
  }
}

function timesOf({ times }: Phase): AttackFigures['normal'] {
  const done = WORK_KINDS.filter((kind) => times[kind].length > 0)
  return Object.fromEntries(
    done.map((kind) => {
      const values = times[kind]
      return [kind, { count: values.length, medianMs: median(values), worstMs: percentile(values, 1) }]
    }),
  )
}

/** Kills a server that does not stop in time. */
async function stopServer(server: MeadowServer): Promise<void> {
  const timer = setTimeout(() => process.kill(server.pid, 'SIGKILL'), 3 * STOP_SECONDS * 1000)
  if (server.ended === undefined) await server[Symbol.asyncDispose]()
  clearTimeout(timer)
}
