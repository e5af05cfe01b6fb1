import { mkdir, rm } from 'node:fs/promises'
import { globalAgent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLive } from '@meadow/client/live'
import { hashPassword } from '@meadow/server/src/access/password-hashes.ts'
import { setPassword } from '@meadow/server/src/access/passwords.ts'
import { tubes } from '@meadow/server/src/features/solutions/testing/graphs.ts'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { putFile } from '@meadow/server/src/testing/definition-folder.ts'
import { AHEAD_VARIABLE } from '@meadow/server/src/testing/move-clock.ts'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import { startWebhookReceiver } from '@meadow/server/src/testing/webhook-receiver.ts'
import { listLoggedErrors } from '../cluster/logged-errors.ts'
import { openFolder } from '../harness/command.ts'
import { MEADOW_SERVER, meadowEnvironment, startMeadow } from '../harness/meadow.ts'
import { runToEnd } from '../harness/processes.ts'
import { addressOf } from '../harness/request.ts'
import { createTeam, openStores } from '../harness/teams.ts'
import type { Sampled } from './growth.ts'
import { addWebhook, DOCUMENTS, importOne, type Load, OPERATIONS, replaceOldest, signIn } from './load.ts'
import { ask, isBusy, type Places, takeSample } from './samples.ts'

export interface LifeOptions {
  seed: number
  /** How often each operation is done before each sample. */
  times: number
  /** How many days pass then. */
  days: number
  /** The names of the operations that are done. */
  operations: readonly string[]
  /** Whether clients keep one connection open for each operation, which is a leak that has to be found. */
  leaks: boolean
  /** Called after each sample; the run ends when it returns true. */
  isDone(life: Omit<Life, 'logged'>): boolean
}

export interface Life {
  /** What was there when all work was done and the days had passed. */
  samples: Sampled[]
  /** The operations that failed, and why. */
  failures: string[]
  /** What the server logged as an error. */
  logged: string[]
}

const MINUTE_MS = 60_000
/** Longer jumps of the clock are not believed at once. */
const STEP_MS = 50 * MINUTE_MS
const STEPS_A_DAY = Math.ceil((24 * 60 * MINUTE_MS) / STEP_MS)
const POLL_MS = 20
/** The time in which the server closes connections that have ended. */
const QUIET_MS = 100
const LANES = 3
const PERSON = { email: 'owner@example.org', password: 'a long life for everything' }
const HOURS = fileURLToPath(new URL('./server/hours.ts', import.meta.url))
const MOVER = fileURLToPath(import.meta.resolve('@meadow/server/src/testing/move-clock.ts'))

/** Lets a server live for many days: work of clients, and then the hours until the next day, again and again. */
export async function live(options: LifeOptions): Promise<Life> {
  await using opened = new AsyncDisposableStack()
  const { path } = opened.use(await openFolder('long-life'))
  const dataDir = join(path, 'data')
  const given = await buildTeam(dataDir)
  const receiver = await startWebhookReceiver({ after: (work) => opened.defer(work) })
  const { server, places } = await startServer(path, dataDir)
  opened.use(server)
  const clock = { aheadMs: 0 }
  let last = 0
  const load: Load = {
    ...{ ...given, server, receiver, person: PERSON, cookie: '', documents: [], cursor: undefined },
    random: createRandom(options.seed),
    next: () => ++last,
    importFile: (name) => importFile(path, dataDir, given.team.id, name, clock.aheadMs),
  }
  const leaked = leakInto(load, options.leaks)
  opened.defer(leaked.close)
  const life: Life = { samples: [], failures: [], logged: [] }
  let operations = 0
  load.cookie = await signIn(load)
  await addWebhook(load)
  do {
    operations += await work(load, options, life.failures, leaked.add)
    receiver.received.length = 0
    await passDays(places, clock, options.days)
    globalAgent.destroy()
    await sleep(QUIET_MS)
    life.samples.push({ operations, sample: await takeSample(places) })
  } while (!options.isDone(life))
  life.logged = await listLoggedErrors(path)
  return life
}

async function startServer(path: string, dataDir: string) {
  const places = { dataDir, temporary: join(path, 'temporary'), logFile: join(path, 'serve.log') }
  await mkdir(places.temporary)
  const server = await startMeadow({
    ...{ dataDir, logFile: places.logFile, cacheMb: 4, isTalking: true },
    env: {
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${HOURS}`,
      [AHEAD_VARIABLE]: '0',
      TMPDIR: places.temporary,
      MEADOW_LOG_LEVEL: 'warn',
      MEADOW_WEBHOOKS_ALLOW: '127.0.0.1',
      MEADOW_STOP_NOTICE_SECONDS: '0',
    },
  })
  return { server, places: { ...places, child: server.child } }
}

/** Waits until all work is done, lets days pass, and waits again. */
async function passDays({ dataDir, child }: Places, clock: { aheadMs: number }, days: number): Promise<void> {
  const settle = async () => {
    do await sleep(POLL_MS)
    while (isBusy(dataDir, Date.now() + clock.aheadMs))
  }
  await settle()
  for (let step = 0; step < days * STEPS_A_DAY; step++) {
    clock.aheadMs += STEP_MS
    await ask(child, { do: 'pass', ms: STEP_MS })
    await settle()
  }
}

/** Does each operation some times, several at once, in an order by chance. Returns the number of operations. */
async function work(
  load: Load,
  { times, operations }: LifeOptions,
  failures: string[],
  leak: () => Promise<void>,
): Promise<number> {
  load.cookie = await signIn(load)
  do await replaceOldest(load)
  while (load.documents.length < DOCUMENTS)
  // Nothing else runs: the import takes for left over what is just being written, with the time of the machine.
  await importOne(load).catch((error) => failures.push(`import: ${error.message}`))
  const names = Array.from({ length: times }, () => operations).flat()
  const shuffled = names
    .map((name) => ({ name, at: load.random.fraction() }))
    .toSorted((one, other) => one.at - other.at)
  const doNext = async () => {
    for (let one = shuffled.pop(); one; one = shuffled.pop()) {
      await OPERATIONS[one.name]!(load).catch((error) => failures.push(`${one.name}: ${error.message}`))
      await leak()
    }
  }
  await Promise.all(Array.from({ length: LANES }, doNext))
  return names.length
}

function leakInto(load: Load, isLeaking: boolean) {
  const kept: { close(): void }[] = []
  return {
    async add() {
      if (!isLeaking) return
      const { server, cookie, template: documentId } = load
      kept.push(await openLive({ address: addressOf(server), cookie, documentId }))
    },
    close() {
      for (const one of kept) one.close()
    },
  }
}

async function buildTeam(dataDir: string): Promise<Pick<Load, 'team' | 'template'>> {
  await using stores = await openStores({ dataDir })
  const team = await createTeam(stores, 'Long life')
  const { id: template } = await team.addDocument('Template', tubes())
  const { user } = await team.addMember('owner', 'owner')
  const hash = await hashPassword(PERSON.password)
  await stores.database.transaction((write) => setPassword(write, user, hash))
  return { team: { id: team.id, root: team.root.id, token: team.token }, template }
}

/** Imports a folder with one definition, as an operator does, by a clock that is as far ahead as that of the server. */
async function importFile(folder: string, dataDir: string, team: string, name: string, aheadMs: number) {
  const files = join(folder, name)
  await putFile(files, `${name}.gh`, createDefinitionFile({ text: name }))
  const command = [MEADOW_SERVER, 'import', files, '--team', team, '--json']
  const printed = await runToEnd(process.execPath, command, {
    env: {
      ...meadowEnvironment({ dataDir }),
      NODE_OPTIONS: `--import=${MOVER}`,
      [AHEAD_VARIABLE]: String(aheadMs),
    },
  })
  await rm(files, { recursive: true })
  return JSON.parse(printed).files[0].documentId as string
}
