import { setTimeout as sleep } from 'node:timers/promises'
import { openLive, renameNode } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { load } from '../harness/load.ts'
import { readProcessFigures } from '../harness/process-figures.ts'
import { addressOf, requestBytes } from '../harness/request.ts'
import { median } from '../harness/statistics.ts'
import type { Cluster, NamedServer } from './parts/cluster.ts'
import { nameOf, readEdits } from './work/editors.ts'

/** The cost of several processes, in milliseconds. */
export interface ClusterFigures {
  /**
   * The processor time per request of all processes that serve. Each process of a cluster gets as many requests as the
   * process alone.
   */
  cpu: {
    aloneMs: number
    /** The time with as many edits in all as on the process alone. */
    clusterMs: number
    /**
     * The time with as many edits for each process as on the process alone. Each edit invalidates caches of all
     * processes.
     */
    growingMs: number
  }
  /** The times from an edit on one process until a client of another one has it. */
  seen: number[]
}

const ROUNDS = 3
/** The number of steps of a round. Each step makes edits, and then sends `REQUESTS` requests to each process. */
const STEPS = 10
const REQUESTS = 100
const CONNECTIONS = 4
const SEEN_EDITS = 300
const SEEN_PAUSE_MS = 20

/** Measures the same work on one process and on several, in turns. */
export async function measureCluster(alone: Cluster, cluster: Cluster): Promise<ClusterFigures> {
  const arms = [
    { cluster: alone, edits: 1, times: [] as number[] },
    { cluster, edits: 1, times: [] as number[] },
    { cluster, edits: cluster.servers.length, times: [] as number[] },
  ]
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { cluster, edits, times } of arms) {
      const ms = await measureRound(cluster, edits)
      if (round > 0) times.push(ms)
    }
  }
  const [aloneMs, clusterMs, growingMs] = arms.map(({ times }) => median(times))
  const cpu = { aloneMs: aloneMs!, clusterMs: clusterMs!, growingMs: growingMs! }
  return { cpu, seen: await measureSeen(cluster) }
}

/** Reads all kinds of resources through all processes, and edits a document now and then, which all caches notice. */
async function measureRound({ servers, processes, team }: Cluster, edits: number): Promise<number> {
  const headers = { authorization: `Bearer ${team.token}`, 'accept-encoding': 'gzip' }
  const documents = team.unchanged.map((id) => `/documents/${id}`)
  const paths = [
    ...['/folders/root', '/team', '/documents?q=Alone', `/documents/${team.shared.id}`],
    ...documents,
    ...documents.map((path) => `${path}/solution`),
  ]
  const requests = paths.map((path) => requestBytes({ path: API_PREFIX + path, headers }))
  const cpu = () =>
    processes.serve.reduce((sum, { pid }) => sum + (readProcessFigures(pid!).cpuMs ?? Number.NaN), 0)
  const { cookie } = team.owner
  const open = (server: NamedServer) =>
    openLive({ address: addressOf(server), cookie, documentId: team.shared.id })
  const editors = await Promise.all(servers.slice(0, edits).map(open))
  const options = { connections: CONNECTIONS, durationMs: Infinity, maxRequests: REQUESTS }
  const before = cpu()
  let count = 0
  for (let step = 1; step <= STEPS; step++) {
    for (const [index, live] of editors.entries()) {
      live.edit((doc) => renameNode(doc, team.shared.nodes[index]!, nameOf(step)))
      await live.durable()
    }
    const results = await Promise.all(servers.map((server) => load({ ...server, requests }, options)))
    const statuses = results.flatMap(({ responses }) => responses.map(({ status }) => status))
    const failed = statuses.find((status) => status !== 200)
    if (failed !== undefined) throw new Error(`A request was answered with ${failed}.`)
    count += statuses.length
  }
  const used = cpu() - before
  for (const live of editors) live.close()
  return used / count
}

/** Measures the times from an edit on one process until a client of another one has it. */
async function measureSeen({ servers, team }: Cluster): Promise<number[]> {
  const { id, nodes } = team.shared
  const [writer, reader] = await Promise.all(
    [servers[0]!, servers[1]!].map((server) =>
      openLive({ address: addressOf(server), cookie: team.owner.cookie, documentId: id }),
    ),
  )
  const times: number[] = []
  for (let edit = STEPS + 1; edit <= STEPS + SEEN_EDITS; edit++) {
    const seen = Promise.withResolvers<void>()
    const stopListening = reader!.on('change', () => {
      if (readEdits(reader!.read()).get(nodes[0]!) === edit) seen.resolve()
    })
    const startedAt = performance.now()
    writer!.edit((doc) => renameNode(doc, nodes[0]!, nameOf(edit)))
    await seen.promise
    times.push(performance.now() - startedAt)
    stopListening()
    await sleep(SEEN_PAUSE_MS)
  }
  writer!.close()
  reader!.close()
  return times
}
