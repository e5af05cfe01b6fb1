import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@meadow/contract'
import { ask } from '../load/request.ts'
import { type MeadowServer, startMeadow } from '../servers/start-meadow.ts'
import { median, percentile } from '../statistics.ts'
import type { Attack, AttackTarget, Strength, Tally } from './attack.ts'
import type { AttackTask } from './attacker.ts'
import { type BystanderTask, type Phase, WORK_KINDS, type WorkKind } from './bystander.ts'
import { type HelperProcess, startHelper } from './helper-process.ts'
import { type MemoryFigures, watchMemory } from './memory-watch.ts'
import { buildAttackedTeams, LARGE_SIZES } from './teams.ts'

/** How long each part takes. */
export interface Pace extends Strength {
  /** Work as always, before anything is measured. */
  warmUpMs: number
  /** Work as always, measured. */
  normalMs: number
  /** How long the memory has to come back. */
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
  /** Of the other team; left out what it did not get round to. */
  normal: Partial<Record<WorkKind, Times>>
  attacked: Partial<Record<WorkKind, Times>>
  /** Answers to it that were wrong or missing, under attack and after, in words the first of them. */
  wrong: number
  examples: string[]
  retried: number
  memory: MemoryFigures
  /** Why the server's process ended, which it must not. */
  ended: string | undefined
}

/** A server with two teams at work, for one attack after the other. It goes with all that it stored. */
export interface Stage extends AsyncDisposable {
  run(attack: Attack, pace: Pace): Promise<AttackFigures>
  /** Ends the work, and tells which acknowledged edits are not there. */
  finish(): Promise<string[]>
}

export interface StageOptions extends Pick<Attack, 'server' | 'outageMs' | 'bothWork'> {
  databaseUrl?: string | undefined
  /** How many hostile documents are there. */
  hostile: number
}

const STOP_SECONDS = 5
/** However busy everything is: beyond this somebody hangs. */
const PATIENCE_MS = 300_000

export async function openStage(options: StageOptions): Promise<Stage> {
  const { databaseUrl, hostile, outageMs, bothWork } = options
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'meadow-attack-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const teams = await buildAttackedTeams({ dataDir, databaseUrl }, hostile)
  const server = await startMeadow({
    ...{ dataDir, databaseUrl, logFile: join(folder, 'log') },
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
  const attacker = opened.use(startHelper('attacker.ts'))
  const working = [opened.use(startHelper('bystander.ts'))]
  if (bothWork) working.push(opened.use(startHelper('bystander.ts')))
  const mayBeOut = outageMs !== undefined
  await Promise.all(
    working.map((helper, at) => {
      const team = at === 0 ? teams.bystander : teams.attacker
      return askBystander(helper, { do: 'start', host, port, team, mayBeOut })
    }),
  )
  await readOnce(target)
  const closing = opened.move()
  return {
    run: (attack, pace) => runAttack(attack, pace, { server, target, attacker, working }),
    finish: async () => (await Promise.all(working.map(finish))).flat(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

interface StageParts {
  server: MeadowServer
  target: AttackTarget
  attacker: HelperProcess
  /** The bystander, and the other team where that works too. */
  working: readonly HelperProcess[]
}

async function runAttack(
  attack: Attack,
  pace: Pace,
  { server, target, attacker, working }: StageParts,
): Promise<AttackFigures> {
  using memory = watchMemory(server.pid)
  const take = () => Promise.all(working.map((helper) => askBystander<Phase>(helper, { do: 'take' })))
  await sleep(pace.warmUpMs)
  await take()
  await sleep(pace.normalMs)
  const [normal] = await take()
  memory.begin()

  const startedAt = performance.now()
  const tally = await runAttacker(attacker, attack, target, pace)
  const seconds = (performance.now() - startedAt) / 1000
  const under = await take()
  const figures = await memory.end(pace.afterMs)
  const phases = [...under, ...(await take())]
  return {
    family: attack.family,
    name: attack.name,
    store: target.databaseUrl === undefined ? 'sqlite' : 'postgres',
    seconds,
    tally,
    normal: timesOf(normal!),
    attacked: timesOf(under[0]!),
    wrong: phases.reduce((sum, { wrong }) => sum + wrong, 0),
    examples: phases.flatMap(({ examples }) => examples).slice(0, 5),
    retried: phases.reduce((sum, { retried }) => sum + retried, 0),
    memory: figures,
    ended: server.ended,
  }
}

const askBystander = <T>(helper: HelperProcess, task: BystanderTask): Promise<T> =>
  helper.ask<T>(task, PATIENCE_MS)

/** The attacker reads its own documents in peace, so that what the server keeps of them is no growth. */
async function readOnce({ host, port, teams }: AttackTarget): Promise<void> {
  const { token, large } = teams.attacker
  const headers = { authorization: `Bearer ${token}` }
  for (const size of Object.keys(LARGE_SIZES) as (keyof typeof LARGE_SIZES)[]) {
    for (const path of ['', '/solution']) {
      const answer = await ask(
        { host, port },
        { path: `${API_PREFIX}/documents/${large[size]}${path}`, headers },
      )
      if (answer.status !== 200) throw new Error(`A document of ${size} answered ${answer.status}.`)
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
    return await attacker.ask(task, durationMs + 4 * PATIENCE_MS)
  } catch (error) {
    return { sent: 0, answers: {}, faults: [(error as Error).message] }
  }
}

/** Ends the work and tells what is lost; where the document cannot even be opened, that. */
async function finish(helper: HelperProcess): Promise<string[]> {
  try {
    return await askBystander<string[]>(helper, { do: 'finish' })
  } catch (error) {
    return [`unknown, since ${(error as Error).message}`]
  }
}

function timesOf({ times }: Phase): AttackFigures['normal'] {
  const done = WORK_KINDS.filter((kind) => times[kind].length > 0)
  return Object.fromEntries(
    done.map((kind) => {
      const of = times[kind]
      return [kind, { count: of.length, medianMs: median(of), worstMs: percentile(of, 1) }]
    }),
  )
}

/** One that hangs is killed. */
async function stopServer(server: MeadowServer): Promise<void> {
  const late = setTimeout(() => process.kill(server.pid, 'SIGKILL'), 3 * STOP_SECONDS * 1000)
  if (server.ended === undefined) await server[Symbol.asyncDispose]()
  clearTimeout(late)
}
