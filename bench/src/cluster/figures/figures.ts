import { setTimeout as sleep } from 'node:timers/promises'
import { openLive, renameNode } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { load } from '../../load/load.ts'
import { requestBytes } from '../../load/request.ts'
import { readProcessFigures } from '../../servers/process-figures.ts'
import { median } from '../../shared/statistics.ts'
import type { Cluster } from '../parts/cluster.ts'
import { nameOf, readEdits } from '../work/editors.ts'
import { addressOf } from '../work/requests.ts'

/** What several processes cost. Milliseconds. */
export interface ClusterFigures {
  /** Processor time of all processes that serve, per request. */
  cpu: { aloneMs: number; clusterMs: number }
  /** From an edit on one process until a client of another one has it. */
  seen: number[]
}

const ROUNDS = 5
/** Of a round: an edit, and then as many requests. */
const EDITS = 20
const REQUESTS_PER_EDIT = 120
const CONNECTIONS = 6
const SEEN_EDITS = 300
const SEEN_PAUSE_MS = 20

/** Measures the same work on one process and on several, in turns. */
export async function measureCluster(alone: Cluster, cluster: Cluster): Promise<ClusterFigures> {
  const of = new Map<Cluster, number[]>([
    [alone, []],
    [cluster, []],
  ])
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [measured, rounds] of of) {
      const ms = await measureRound(measured)
      if (round > 0) rounds.push(ms)
    }
  }
  const [aloneMs, clusterMs] = [...of.values()].map(median)
  return { cpu: { aloneMs: aloneMs!, clusterMs: clusterMs! }, seen: await measureSeen(cluster) }
}

/** Reads all kinds of resources through all processes, and edits a document now and then, which all caches notice. */
async function measureRound({ servers, processes, team }: Cluster): Promise<number> {
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
  const live = await openLive({ address: addressOf(servers[0]!), cookie, documentId: team.shared.id })
  const before = cpu()
  let count = 0
  for (let edit = 1; edit <= EDITS; edit++) {
    live.edit((doc) => renameNode(doc, team.shared.nodes[0]!, nameOf(edit)))
    await live.durable()
    const maxRequests = REQUESTS_PER_EDIT / servers.length
    const options = { connections: CONNECTIONS / servers.length, durationMs: Infinity, maxRequests }
    const results = await Promise.all(servers.map((server) => load({ ...server, requests }, options)))
    for (const { status } of results.flatMap(({ responses }) => responses))
      if (status !== 200) throw new Error(`A request was answered with ${status}.`)
    count += results.reduce((sum, { responses }) => sum + responses.length, 0)
  }
  const used = cpu() - before
  live.close()
  return used / count
}

/** From an edit on one process until a client of another one has it. */
async function measureSeen({ servers, team }: Cluster): Promise<number[]> {
  const { id, nodes } = team.shared
  const [writer, reader] = await Promise.all(
    [servers[0]!, servers[1]!].map((server) =>
      openLive({ address: addressOf(server), cookie: team.owner.cookie, documentId: id }),
    ),
  )
  const times: number[] = []
  for (let edit = EDITS + 1; edit <= EDITS + SEEN_EDITS; edit++) {
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
