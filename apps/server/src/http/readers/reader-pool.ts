import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenId } from '@meadow/contract'
import type { TokenReads } from '../../access/token-reads.ts'
import type { TokenUse } from '../../access/token-use.ts'
import type { RateWindows } from '../../platform/cluster/rate-windows.ts'
import { type Log, writeLine } from '../../platform/log.ts'
import type { OwnLimits, TeamActivity } from '../admission.ts'
import type { OtherProcesses } from '../connection/connections.ts'
import { type MetricFigures, sumFigures } from '../sum-metrics.ts'
import { type Loan, lendPermits } from './lent-permits.ts'
import { createReadMatcher } from './plain-reads.ts'
import {
  connectPeer,
  type MainFunctions,
  type Peer,
  type ReaderFunctions,
  type ReaderSetup,
} from './protocol.ts'

/** A reader that ended is replaced after this time, twice as long after each one that ended soon after its start. */
const REPLACE_AFTER_MS = 100
const MAX_REPLACE_AFTER_MS = 30_000
/** A reader that does not report in time counts with what it reported last. */
const MAX_METRICS_MS = 1000
/** A reader that does not close a connection in time has none to close. */
const MAX_CLOSE_MS = 1000
/** Readers are asked for a report this often. One that misses two gets no connections, … */
const CHECK_EVERY_MS = 5000
const SLOW_AFTER_MISSED = 2
/** … and one that misses so many hangs: it is ended, so that another one replaces it and its permits are free again. */
const MAX_MISSED = 3
/** A reader that has run for so long did not end because it cannot run here. */
const STABLE_MS = 60_000

/**
 * A connection that a reader has handed back is used for other requests too. It goes to a reader again after so many reads
 * in a row, since moving it takes as long as answering some of them.
 */
const READS_BEFORE_MOVING = 16

export interface ReaderPoolParts {
  /** What a process runs. */
  script: URL
  setup: ReaderSetup
  /** How many processes. */
  count: number
  publicPath: string
  limits: OwnLimits
  activity: Pick<TeamActivity, 'note'>
  tokenUse: Pick<TokenUse, 'note'>
  tokenReads: Pick<TokenReads, 'count'>
  /** Counts the requests of tokens; undefined where readers count on their own. */
  rateWindows: Pick<RateWindows, 'take'> | undefined
  log: Log
}

export interface ReaderPool extends OtherProcesses {
  /** The figures of all readers, and the last ones known of those that have ended. */
  readMetrics(): Promise<MetricFigures[]>
}

interface Reader {
  readonly child: ChildProcess
  readonly peer: Peer<ReaderFunctions>
  readonly loan: Loan
  /** The addresses of the connections that it has, by their numbers here. */
  readonly connections: Map<number, string>
  /** Those of them that have not left this process yet, which counts them until then. */
  readonly leaving: Map<number, Socket>
  /** What it reported last. */
  figures: MetricFigures
  /** How many checks there were since its last report. */
  missed: number
  readonly startedAtMs: number
  hasEnded: boolean
}

/**
 * Starts processes that answer reads, and replaces those that end. Resolves when all of them take connections; rejects with
 * a sentence when one of them cannot.
 */
export async function startReaders(parts: ReaderPoolParts): Promise<ReaderPool> {
  const { log, limits } = parts
  const isRead = createReadMatcher(parts.publicPath)
  const lend = lendPermits(limits, () => {
    for (const { peer } of readers) void peer.call.recall.asEvent()
  })
  const readers = new Set<Reader>()
  /** Processes that do not take connections yet. */
  const starting = new Set<ChildProcess>()
  /** How many reads have to come on a connection before it is moved. */
  const readsLeft = new WeakMap<Socket, number>()
  let endedFigures: Promise<MetricFigures> = Promise.resolve([])
  let lastConnection = 0
  let adopt: Parameters<OtherProcesses['onReturn']>[0] = (socket) => socket.destroy()
  let isStopping = false
  /** Readers are about to end: what they were given now would be lost with them. */
  let isFinishing = false
  let replaceAfterMs = REPLACE_AFTER_MS

  async function start(): Promise<void> {
    const child = fork(parts.script, [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
      // In a group of its own, which Ctrl-C in a terminal does not reach. On Windows it would get a window.
      detached: process.platform !== 'win32',
    })
    const loan = lend()
    const connections = new Map<number, string>()
    const leaving = new Map<number, Socket>()
    const forget = (connection: number) => {
      connections.delete(connection)
      leaving.delete(connection)
    }
    const functions: MainFunctions = {
      ...loan,
      spend: (team, caller, bytes) => limits.spend(team, caller, bytes),
      countRequest: (key, max) => parts.rateWindows!.take(key, max),
      countReads(counted) {
        for (const [token, endpoint, reads] of counted)
          parts.tokenReads.count(token as TokenId, endpoint, reads)
      },
      note(teams, tokens) {
        for (const team of teams) parts.activity.note(team)
        for (const [token, address] of tokens) parts.tokenUse.note(token as TokenId, address)
      },
      log: (line) => writeLine(log, line),
      closed: forget,
    }
    const peer = connectPeer<ReaderFunctions, MainFunctions>(child, functions, (handed, socket) => {
      forget(handed.connection)
      if (!socket) return
      readsLeft.set(socket, READS_BEFORE_MOVING)
      adopt(socket, Buffer.from(handed.data, 'latin1'))
    })
    const reader: Reader = {
      ...{ child, peer, loan, connections, leaving },
      figures: [],
      missed: 0,
      startedAtMs: performance.now(),
      hasEnded: false,
    }
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
      child.once('error', ({ message }) => resolve(message))
    })
    void ended.then((how) => noteEnd(reader, how))
    starting.add(child)
    const fault = await Promise.race([peer.call.open(parts.setup), ended])
    starting.delete(child)
    if (reader.hasEnded || fault !== undefined) {
      child.kill('SIGKILL')
      throw new Error(`A process that reads (MEADOW_READERS) could not start: ${fault}.`)
    }
    readers.add(reader)
  }

  function noteEnd(reader: Reader, how: string): void {
    reader.hasEnded = true
    reader.loan.end()
    reader.peer.call.$close()
    // Counts never go back.
    const counts = reader.figures.filter(({ type }) => String(type) !== 'gauge')
    endedFigures = endedFigures.then((before) => sumFigures([before, counts]).getMetricsAsJSON())
    // Those that it was not told of yet are lost with it.
    for (const socket of reader.leaving.values()) socket.destroy()
    if (!readers.delete(reader) || isStopping) return
    log.error({ reason: how, connections: reader.connections.size }, 'a process that reads has ended')
    if (performance.now() - reader.startedAtMs > STABLE_MS) replaceAfterMs = REPLACE_AFTER_MS
    void replace()
  }

  /** Until it succeeds, the others and this process answer. */
  async function replace(): Promise<void> {
    while (!isStopping) {
      await sleep(replaceAfterMs, undefined, { ref: false })
      replaceAfterMs = Math.min(2 * replaceAfterMs, MAX_REPLACE_AFTER_MS)
      if (isStopping) return
      try {
        await start()
        log.info('a process that reads was replaced')
        return
      } catch (error) {
        if (isStopping) return
        log.error({ err: error }, 'a process that reads could not be replaced')
      }
    }
  }

  const findFreest = (): Reader | undefined => {
    let freest: Reader | undefined
    for (const reader of readers) {
      if (reader.missed >= SLOW_AFTER_MISSED) continue
      if (!freest || reader.connections.size < freest.connections.size) freest = reader
    }
    return freest
  }

  function hand(reader: Reader, socket: Socket, data: Buffer): void {
    const connection = ++lastConnection
    reader.connections.set(connection, socket.remoteAddress ?? '')
    reader.leaving.set(connection, socket)
    socket.once('close', () => reader.leaving.delete(connection))
    reader.peer.hand(socket, { connection, data: data.toString('latin1') }, () => socket.destroy())
  }

  const results = await Promise.allSettled(Array.from({ length: parts.count }, start))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) {
    isStopping = true
    for (const { child } of readers) child.kill('SIGKILL')
    throw failed.reason
  }

  async function report(reader: Reader): Promise<void> {
    reader.figures = await reader.peer.call.readMetrics()
    reader.missed = 0
  }

  const endHanging = () => {
    for (const reader of readers) {
      if (reader.missed++ >= MAX_MISSED) reader.child.kill('SIGKILL')
      else report(reader).catch(() => {})
    }
  }
  const checking = setInterval(endHanging, CHECK_EVERY_MS).unref()

  const all = (ask: (reader: Reader) => Promise<unknown>) =>
    Promise.all([...readers].map((reader) => ask(reader).catch(() => {})))

  return {
    take(socket, data) {
      if (!isRead(data)) {
        if (readsLeft.has(socket)) readsLeft.set(socket, READS_BEFORE_MOVING)
        return false
      }
      const left = readsLeft.get(socket) ?? 0
      const reader = left > 0 || isFinishing ? undefined : findFreest()
      if (reader) hand(reader, socket, data)
      else if (left > 0) readsLeft.set(socket, left - 1)
      return reader !== undefined
    },
    onReturn(listener) {
      adopt = listener
    },
    countConnections() {
      const counts = new Map<string, number>()
      for (const { connections, leaving } of readers)
        for (const [connection, address] of connections)
          if (!leaving.has(connection)) counts.set(address, (counts.get(address) ?? 0) + 1)
      return counts
    },
    get connections() {
      return [...readers].reduce((sum, { connections, leaving }) => sum + connections.size - leaving.size, 0)
    },
    async closeIdle(address) {
      const counts = [...readers].map((reader) => ({
        reader,
        count: [...reader.connections.values()].filter((of) => of === address).length,
      }))
      const isLate = () => sleep(MAX_CLOSE_MS, false, { ref: false })
      for (const { reader } of counts.toSorted((a, b) => b.count - a.count))
        if (await Promise.race([reader.peer.call.closeIdle(address), isLate()]).catch(() => false))
          return true
      return false
    },
    async readMetrics() {
      await Promise.race([all(report), sleep(MAX_METRICS_MS, undefined, { ref: false })])
      // Both of the same moment: one that ends meanwhile would be in neither.
      const [ended, running] = [endedFigures, [...readers].map(({ figures }) => figures)]
      return [await ended, ...running]
    },
    beginStop() {
      isStopping = true
      clearInterval(checking)
      void all(({ peer }) => peer.call.beginStop())
    },
    async finish() {
      isFinishing = true
      for (const child of starting) child.kill('SIGKILL')
      await all(async (reader) => {
        await Promise.race([reader.peer.call.finish(), once(reader.child, 'exit')])
        await report(reader)
        const exited = once(reader.child, 'exit')
        reader.child.disconnect()
        await exited
      })
    },
    destroyAll() {
      isStopping = true
      for (const child of [...starting, ...[...readers].map(({ child }) => child)]) child.kill('SIGKILL')
    },
  }
}
