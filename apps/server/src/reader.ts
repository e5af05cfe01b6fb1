import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { createDocumentContents } from './content/document-contents.ts'
import { createAdmission, type SharedLimits } from './http/admission.ts'
import { createApiHandler } from './http/api/api.ts'
import { publicPath } from './http/connection/public-address.ts'
import { receiveMoved } from './http/connection/repeated-requests.ts'
import { createMetrics } from './http/metrics.ts'
import { createBorrowedPermits } from './http/readers/borrowed-permits.ts'
import { createReadMatcher } from './http/readers/plain-reads.ts'
import {
  connectPeer,
  type HandedConnection,
  type MainFunctions,
  type Peer,
  type ReaderFunctions,
  type ReaderSetup,
} from './http/readers/protocol.ts'
import { createRequestNotes } from './http/request-log.ts'
import { createHttpServer } from './http/server.ts'
import { observeBlobs } from './platform/blobs/observe-blobs.ts'
import { type BlobsLocation, openBlobs } from './platform/blobs/open-blobs.ts'
import { openAsItIs } from './platform/database/open-database.ts'
import { createLog, type LogLevel } from './platform/log.ts'
import { reasonOf } from './platform/system-errors.ts'
import { startTelemetry } from './platform/telemetry/telemetry.ts'
import { createReadParts } from './read-parts.ts'

/** The main process is told of teams and tokens this often, so that it notices soon which teams are active. */
const NOTE_EVERY_MS = 100

/** For how long connections are open at least after responses announce that they close. */
const MIN_NOTICE_MS = 50

/** Runs this process as a reader of its parent, which sends connections, until the parent ends or says so. */
export function serveReads(): void {
  let reader: Reader | undefined
  const functions: ReaderFunctions = {
    async open(setup) {
      try {
        reader = await openReader(setup, peer)
        return undefined
      } catch (error) {
        return reasonOf(error)
      }
    },
    readMetrics: () => reader!.readMetrics(),
    closeIdle: (address) => reader!.closeIdle(address),
    beginStop: () => reader?.beginStop(),
    finish: () => reader!.finish(),
    recall: () => reader?.recall(),
  }
  const peer = connectPeer<MainFunctions, ReaderFunctions>(process, functions, (handed, socket) => {
    if (socket) reader!.take(handed, socket)
    // It was closed before it could leave.
    else void peer.call.closed.asEvent(handed.connection)
  })
}

interface Reader extends Omit<ReaderFunctions, 'open'> {
  take(handed: HandedConnection, socket: Parameters<typeof receiveMoved>[2]): void
}

async function openReader(
  { config: plain, blobsLocation, logLevel, forwardsLog }: ReaderSetup,
  { call, hand }: Peer<MainFunctions>,
): Promise<Reader> {
  const config = plain as Config
  const log = createLog(logLevel as LogLevel, {
    isShared: true,
    ...(forwardsLog && {
      format(line) {
        void call.log.asEvent(line)
        return ''
      },
    }),
  })
  const metrics = createMetrics('serve')
  const database = await openAsItIs(config, { log })
  const { blobs, instruments } = observeBlobs(await openBlobs(blobsLocation as BlobsLocation))
  metrics.add([...database.instruments, ...instruments])
  if (config.telemetry?.traces)
    await startTelemetry({ traces: true, metrics: undefined }, metrics.registry, 'serve', log)
  const contents = createDocumentContents(database, blobs, (err) =>
    log.error({ err }, 'a document could not be kept in memory'),
  )

  const tokens = new Map<string, string>()
  const teams = new Set<string>()
  const reads = new Map<string, [token: string, endpoint: string, reads: number]>()
  const sendNotes = () => {
    if (reads.size > 0) void call.countReads.asEvent([...reads.values()])
    reads.clear()
    if (tokens.size === 0 && teams.size === 0) return
    void call.note.asEvent([...teams], [...tokens])
    tokens.clear()
    teams.clear()
  }
  setInterval(sendNotes, NOTE_EVERY_MS).unref()
  const permits = createBorrowedPermits({
    acquire: (request) => call.acquire(request),
    release: (permit) => void call.release.asEvent(permit),
    abandon: (permit) => void call.abandon.asEvent(permit),
  })
  const limits: SharedLimits = {
    acquire: permits.acquire,
    spend: (team, caller, bytes) => call.spend(team, caller, bytes),
    note: (team) => void teams.add(team),
  }
  const tokenUse = { note: (token: string, address: string) => void tokens.set(token, address) }

  const tokenReads = {
    count(token: string, endpoint: string) {
      const counted = reads.get(`${token} ${endpoint}`)
      if (counted) counted[2]++
      else reads.set(`${token} ${endpoint}`, [token, endpoint, 1])
    },
  }

  const path = publicPath(config.baseUrl)
  const isRead = createReadMatcher(path)
  const numbers = new WeakMap<object, number>()
  const { promise: noticeIsOver, resolve: endNotice } = Promise.withResolvers<void>()
  const { routes, api } = createReadParts(config, {
    database,
    blobs,
    contents,
    metrics,
    log,
    tokenUse,
    tokenReads,
    limits,
  })
  const admission = createAdmission(limits)
  const noteRequest = createRequestNotes(log, metrics)
  const handleApi = createApiHandler({
    ...api,
    ...{ routes, admission, noteRequest },
    rateLimit:
      config.rateLimit === undefined
        ? undefined
        : { perWindow: config.rateLimit, windows: { take: call.countRequest } },
  })
  const app = createHttpServer(
    {
      ...{ log, metrics, noteRequest, admission, handleApi, repeatedRequests: api.fastPathCache },
      securityHeaders: api.securityHeaders,
      dispatch: {
        isOneByOne: true,
        take(socket, data) {
          if (isRead(data)) return false
          const connection = numbers.get(socket)!
          numbers.delete(socket)
          hand(socket, { connection, data: data.toString('latin1') }, () => socket.destroy())
          return true
        },
      },
    },
    { publicPath: path, stopNotice: noticeIsOver, trustedProxies: config.trustedProxies },
  )
  await app.ready()

  let closing: Promise<void> | undefined
  const beginStop = () => {
    closing ??= app.close()
  }
  return {
    take({ connection, data }, socket) {
      numbers.set(socket, connection)
      socket.once('close', () => {
        if (numbers.delete(socket)) void call.closed.asEvent(connection)
      })
      receiveMoved(app.server, app.connections, socket, Buffer.from(data, 'latin1'))
    },
    readMetrics: () => metrics.registry.getMetricsAsJSON(),
    async closeIdle(address) {
      const socket = app.connections.closeIdle(address)
      // The message that it was closed goes out before the answer.
      if (socket) await once(socket, 'close')
      return socket !== undefined
    },
    beginStop,
    recall: permits.recall,
    async finish() {
      beginStop()
      // Clients whose last response did not announce it have sent their next request by then.
      await sleep(MIN_NOTICE_MS)
      endNotice()
      await closing
      await app.connections.becomeQuiet()
      app.connections.destroyAll()
      sendNotes()
    },
  }
}
