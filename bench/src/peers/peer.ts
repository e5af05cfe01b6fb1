import { type SpawnOptions, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithThisProcess, type ServerProcess, stopProcess } from '../harness/processes.ts'
import { type HttpRequest, sendRequest } from '../harness/request.ts'
import type { Contender, LeftOut, Read } from '../requests/contender.ts'
import type { Facts } from '../requests/facts.ts'

/** Another server for the same data, with the use of its API for our reads. */
export interface Peer<Source> {
  readonly name: string
  /** Whether the peer has a response cache, which it uses only for repeated requests. */
  readonly canCache?: true
  /** Starts the peer on the data of `source`. Resolves with undefined when npm has no build for this platform. */
  start(options: StartOptions, source: Source): Promise<ServerProcess | undefined>
  requestOf(read: Read): HttpRequest | LeftOut
  /** Reads the facts of a response. Throws an error when the body has another shape than expected. */
  readFacts(read: Read, body: string): Facts
}

export interface StartOptions {
  /** The `node_modules` of the peers. */
  modules: string
  /** The folder for the files of the peer. */
  folder: string
  /** Whether the peer caches responses. */
  caches: boolean
}

/** Creates a contender for a running peer, on the data of `reference`. `cached` is the one that caches responses. */
export const createContender = (
  { name, requestOf, readFacts }: Pick<Peer<never>, 'name' | 'requestOf' | 'readFacts'>,
  { server, cached }: { server: ServerProcess; cached: ServerProcess },
  reference: Contender,
  databasePid?: number,
): Contender => ({
  name,
  team: reference.team,
  reference,
  readFacts,
  requestsFor({ reads, manner }) {
    const requests: HttpRequest[] = []
    for (const read of reads) {
      const request = requestOf(read)
      if ('reason' in request) return request
      requests.push(request)
    }
    const { host, port, pid } = manner === 'first' ? server : cached
    return { host, port, pid, requests, ...(databasePid !== undefined && { databasePid }) }
  },
})

const MAX_START_MS = 60_000

/** Starts a peer and waits until it answers `probe` with 200. */
export async function startPeer(
  command: string,
  args: string[],
  options: SpawnOptions & { port: number; probe: HttpRequest },
): Promise<ServerProcess> {
  const { port, probe, ...spawning } = options
  const child = spawn(command, args, { ...spawning, stdio: 'ignore' })
  endWithThisProcess(child)
  const address = { host: '127.0.0.1', port }
  const deadline = performance.now() + MAX_START_MS
  for (;;) {
    const status = await sendRequest(address, probe).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === 200) break
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${[command, ...args].join(' ')} did not start.`)
    await sleep(100)
  }
  return { pid: child.pid!, ...address, [Symbol.asyncDispose]: () => stopProcess(child) }
}
