import { join } from 'node:path'
import { findFolder } from '@meadow/server/src/library/folders.ts'
import type { Database } from '@meadow/server/src/platform/database/database.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { findTeam } from '@meadow/server/src/team/teams.ts'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { putFile } from '@meadow/server/src/testing/definition-folder.ts'
import { until } from '@meadow/server/src/testing/until.ts'
import { startWebhookReceiver, type WebhookReceiver } from '@meadow/server/src/testing/webhook-receiver.ts'
import { type Host, HostDiedError, type Hosts, openHosts } from './host/hosts.ts'
import { compare, findPending, lapse, listFaults, type Picture, takePicture } from './judge.ts'
import type { Operation } from './operations.ts'
import { type DatabaseName, openPlaces, type Places } from './place.ts'
import { listPoints, type Point, type SeamCall } from './points.ts'
import { createWorld, type Given, type World } from './world.ts'

/** One database, on which operations run one after the other. */
export interface Lane extends AsyncDisposable {
  readonly database: DatabaseName
  readonly places: Places
  readonly hosts: Hosts
  readonly receiver: WebhookReceiver
}

export async function openLane(database: DatabaseName, postgresUrl?: string): Promise<Lane> {
  await using opened = new AsyncDisposableStack()
  const places = opened.use(await openPlaces(database, postgresUrl))
  const receiver = await startWebhookReceiver({ after: (work) => opened.defer(work) })
  const hosts = opened.use(openHosts())
  const rest = opened.move()
  return { database, places, hosts, receiver, [Symbol.asyncDispose]: () => rest.disposeAsync() }
}

/** An operation that is prepared, and what it looks like after each of its steps without a fault. */
export interface Prepared {
  operation: Operation
  given: Given
  /** The pictures before the first step, and after each; of an operation `isAlone` without what users see. */
  pictures: readonly Picture[]
  /** The picture after all steps, while a server runs. */
  last: Picture
  points: readonly Point[]
}

const QUIET_MS = 80

/** Prepares an operation: everything begins with what the place contains then. */
export async function prepare(lane: Lane, operation: Operation): Promise<Prepared> {
  const { places, hosts } = lane
  const given: Given = { teamId: '', folderId: '', cookie: '', secret: '', documentId: '' }
  await places.clear()
  await withDatabase(lane, async (database) => {
    const host = await hosts.get()
    await giveTeam(createWorldFor(lane, operation, { database, given, host }))
    await operation.prepare?.(createWorldFor(lane, operation, { database, given, host }))
    if (operation.isAlone) return
    const address = await host.call.start(envOf(lane, operation))
    await operation.prepareServed?.(createWorldFor(lane, operation, { database, given, host, address }))
    // What a server does later with new documents, such as reading what they use, is not a part of the operation.
    const { api } = createWorldFor(lane, operation, { database, given, host, address })
    await until('all is indexed', async () => (await api('/documents?uses=x')).json.index.pending === 0)
    await host.call.quiet(QUIET_MS)
    await host.call.stop()
  })
  await places.keep()
  const pictures: Picture[] = []
  let calls: SeamCall[] = []
  let last: Picture = new Map()
  for (let steps = 0; steps <= operation.steps.length; steps++) {
    const run = await openRun(lane, { operation, given })
    try {
      await run.host.call.quiet(QUIET_MS)
      await run.host.call.arm(places.place.folder, undefined)
      for (const step of operation.steps.slice(0, steps)) await step.run(run.world())
      await run.host.call.quiet(QUIET_MS)
      calls = (await run.host.call.disarm()).calls
      if (!operation.isAlone) await run.restart()
      pictures.push(await run.settle())
      if (steps < operation.steps.length) continue
      await run.restart()
      last = await run.settle()
    } finally {
      await run.close()
    }
  }
  return { operation, given, pictures, last, points: listPoints(calls) }
}

/** What became of a fault. */
export interface Outcome {
  /** Whether the call was made that was to fail. */
  isMet: boolean
  /** What is wrong, in words; empty when nothing is. */
  violations: string[]
}

/** Runs an operation while one call fails, recovers, and judges what is there. */
export async function runPoint(lane: Lane, prepared: Prepared, point: Point): Promise<Outcome> {
  const { operation, pictures, last } = prepared
  const run = await openRun(lane, prepared)
  const violations: string[] = []
  try {
    await run.host.call.quiet(QUIET_MS)
    await run.host.call.arm(lane.places.place.folder, point)
    const acknowledged = await doSteps(run, operation, 0)
    const isMet = await isFaultMet(run.host)
    const isKill = point.kind.includes('kill')
    if (!run.host.isAlive && !isKill) violations.push('The server ended by itself.')
    if (!isMet) return { isMet, violations }
    if (operation.isAlone) await run.renew()
    else if (!run.host.isAlive || operation.isContinued) await run.restart()
    const allowed = pictures.slice(acknowledged.steps, acknowledged.steps + 2)
    const seen = await run.settle(allowed)
    const difference = compare(seen, allowed, operation.isPerItem)
    if (difference !== undefined)
      violations.push(`After ${acknowledged.steps} acknowledged steps, ${difference}.`)
    if (!operation.isAlone)
      violations.push(...(await listFaults(run.world(), operation.name !== 'team-purge')))
    const isDone = allowed.length === 2 && compare(seen, [allowed[1]!]) === undefined
    const next = acknowledged.steps + (isDone ? 1 : 0)
    const retried = await doSteps(run, operation, next)
    if (retried.failure !== undefined) violations.push(`It cannot be done again: ${retried.failure}`)
    await run.restart()
    const atLast = compare(await run.settle([last]), [last])
    if (atLast !== undefined) violations.push(`At last, ${atLast}.`)
    violations.push(...(await listFaults(run.world(), operation.name !== 'team-purge')))
    violations.push(...run.host.unhandled.map((text) => `Nobody waited for what was rejected: ${text}`))
    return { isMet, violations }
  } catch (error) {
    return {
      isMet: true,
      violations: [...violations, error instanceof Error ? error.message : String(error)],
    }
  } finally {
    await run.close()
  }
}

/** Waits until nothing is called any more; true when the fault happened. */
async function isFaultMet({ call }: Host): Promise<boolean> {
  try {
    await call.quiet(QUIET_MS)
    return (await call.disarm()).isMet
  } catch (error) {
    if (error instanceof HostDiedError) return true
    throw error
  }
}

/** Does the steps from this one on, until one is not acknowledged. */
async function doSteps(run: Run, { steps }: Operation, from: number) {
  for (let at = from; at < steps.length; at++) {
    try {
      await run.host.whileAlive(steps[at]!.run(run.world()))
    } catch (error) {
      return { steps: at, failure: `${steps[at]!.name}: ${error instanceof Error ? error.message : error}` }
    }
  }
  return { steps: steps.length, failure: undefined }
}

type Run = Awaited<ReturnType<typeof openRun>>

/** How long something that goes on by itself may take, and after how much of it leases have ended. */
const SETTLE_MS = 30_000
const LAPSE_MS = 2000

/** Gives the place what was kept, and starts a server there. */
async function openRun(lane: Lane, { operation, given }: Pick<Prepared, 'operation' | 'given'>) {
  await lane.places.reset()
  lane.receiver.received.length = 0
  const memory = new Map<string, string>()
  const database = await openDatabase(locationOf(lane))
  // The session was made a while ago.
  const createdAt = new Date().toISOString()
  await database.transaction((write) => write.updateTable('session').set({ createdAt }).execute())
  let host = await lane.hosts.get()
  // Rejections that came after the run before was judged are not of this run.
  host.unhandled.length = 0
  let address = ''
  const start = async () => {
    address = await host.call.start(envOf(lane, operation))
  }
  const parts = () => ({ database, given, host, address, memory })
  const world = () => createWorldFor(lane, operation, parts())
  /** Ends the server, if it lives, and lets time pass. */
  const renew = async () => {
    const isDead = !host.isAlive
    if (!isDead) await stop(host)
    address = ''
    await lapse(database, { isDead })
    host = await lane.hosts.get()
  }
  if (!operation.isAlone) await start()
  return {
    world,
    get host() {
      return host
    },
    renew,
    /** Ends the server, if it lives, and starts one. */
    async restart() {
      await renew()
      await start()
    },
    /** Waits until the picture is one of these, and nothing is under way; without any, until nothing is. */
    async settle(allowed?: readonly Picture[]): Promise<Picture> {
      const begin = performance.now()
      let hasLapsed = false
      for (;;) {
        const waitedMs = performance.now() - begin
        const isLate = waitedMs > SETTLE_MS
        // What cannot be seen now may be held by a lease.
        const picture = await takePicture(operation, world(), address !== '').catch((error) => {
          if (isLate) throw error
        })
        const isAllowed =
          picture && (!allowed || compare(picture, allowed, operation.isPerItem) === undefined)
        const pending = await findPending(database)
        if (picture && isAllowed && pending === undefined) return picture
        if (isLate && picture && !isAllowed) return picture
        if (isLate) throw new Error(`Something is left: ${pending}.`)
        if (waitedMs > LAPSE_MS && !hasLapsed) {
          await lapse(database, { isDead: false })
          hasLapsed = true
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async close() {
      if (host.isAlive) await stop(host)
      await database.close()
    },
  }
}

const STOP_MS = 15_000

/** Stops the server of a host; ends the host when that takes too long. */
async function stop(host: Host): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('The server does not stop.')), STOP_MS)
  try {
    await Promise.race([host.call.stop(), late.promise])
  } catch (error) {
    await host.kill()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const locationOf = ({ places: { place } }: Lane) => ({
  dataDir: place.env.MEADOW_DATA_DIR!,
  databaseUrl: place.databaseUrl,
})

async function withDatabase(lane: Lane, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(locationOf(lane))
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

const envOf = ({ places: { place } }: Lane, { env }: Operation): Record<string, string> => ({
  ...place.env,
  MEADOW_SOLVE_WORKERS: '0',
  ...env,
})

interface RunParts {
  database: Database
  given: Given
  host: Host
  address?: string
  memory?: Map<string, string>
}

function createWorldFor(lane: Lane, operation: Operation, parts: RunParts): World {
  const { place, clear } = lane.places
  return createWorld({
    ...{ address: '', memory: new Map<string, string>(), ...parts },
    place: { ...place, env: envOf(lane, operation) },
    receiver: lane.receiver,
    startOver: clear,
  })
}

/** A team with an owner, a token and an imported document. */
async function giveTeam({ command, place, database, given }: World): Promise<void> {
  const json = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout)
  const { id } = await json('team', 'create', 'Acme', '--credits', '100')
  await command('user', 'create', '--email', OWNER, '--name', 'Ann', '--team', id, '--role', 'owner')
  const files = join(place.folder, 'first')
  await putFile(files, 'Tower.gh', createDefinitionFile({ panels: 3 }))
  const { key } = (await findTeam(database.read, id))!
  Object.assign(given, {
    teamId: id,
    cookie: (await json('session', 'create', '--user', OWNER)).cookie,
    secret: (await json('token', 'create', '--team', id, '--name', 'reader')).token,
    documentId: (await json('import', files, '--team', id)).files[0].documentId,
    folderId: (await findFolder(database.read, key, 'root'))!.id,
  } satisfies Given)
}

const OWNER = 'ann@example.org'
