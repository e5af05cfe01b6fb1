import type { Serializable } from 'node:child_process'
import type { Socket } from 'node:net'
import { type BirpcReturn, createBirpc } from 'birpc'
import type { RateCount } from '../../platform/cluster/rate-windows.ts'
import type { SharedResource } from '../admission.ts'
import type { MetricFigures } from '../sum-metrics.ts'

/** What the main process asks of a reader. */
export interface ReaderFunctions {
  /** Opens the database and the file store: undefined when the reader takes connections, else what is in the way. */
  open(setup: ReaderSetup): Promise<string | undefined>
  readMetrics(): Promise<MetricFigures>
  /** Closes the oldest connection of the address without a request; false when there is none. */
  closeIdle(address: string): Promise<boolean>
  /** From now on each response closes its connection. */
  beginStop(): void
  /** Resolves when every connection has its responses and is closed. */
  finish(): Promise<void>
  /** Others wait for permits: those that are kept have to be given back. */
  recall(): void
}

/** What a reader asks of the main process. */
export interface MainFunctions {
  /** Waits for a permit of a resource that all processes share. */
  acquire(request: PermitRequest): Promise<PermitResult>
  release(permit: number): void
  /** The caller of a request that waits has disconnected. */
  abandon(permit: number): void
  /** How long a response has to wait before it is sent, in milliseconds. */
  spend(team: string, caller: string, bytes: number): number
  /** Counts a request of a token. */
  countRequest(key: string, max: number): Promise<RateCount>
  /** How often tokens read through endpoints since the last time. */
  countReads(counted: readonly (readonly [token: string, endpoint: string, reads: number])[]): void
  /** The teams of requests since the last time, and the tokens, each with the address of the client that used it last. */
  note(teams: readonly string[], tokens: readonly (readonly [token: string, address: string])[]): void
  log(line: string): void
  /** A connection was closed. */
  closed(connection: number): void
}

/** What a reader starts with: plain JSON, which may hold secrets. */
export interface ReaderSetup {
  config: object
  blobsLocation: object
  logLevel: string
  /** Whether lines of the log go through the main process, which writes them in another form or to another place. */
  forwardsLog: boolean
}

export interface PermitRequest {
  /** A number that the reader chooses. */
  permit: number
  resource: SharedResource
  path: readonly string[]
  weight: number
}

/** 'full' has the level of the limit that was reached; 'abandoned' is for a caller that has disconnected. */
export type PermitResult = 'granted' | 'abandoned' | { full: number }

/** A connection that goes to another process, with the data that was read from it already, as Latin-1. */
export interface HandedConnection {
  connection: number
  data: string
}

/** A channel between the main process and a reader: of a child process, or the process's own to its parent. */
export interface Channel {
  send?(
    message: Serializable,
    socket?: Socket,
    options?: object,
    done?: (error: Error | null) => void,
  ): boolean
  on(event: 'message', listener: (message: unknown, socket?: unknown) => void): unknown
}

/** The other process: its functions are called, and connections are handed to it. */
export interface Peer<Theirs extends object> {
  call: BirpcReturn<Theirs, object>
  /** `done` is called when the connection has left this process, or is lost. */
  hand(socket: Socket, handed: HandedConnection, done: () => void): void
}

/** `onConnection` gets the connections that the other process hands over. */
export function connectPeer<Theirs extends object, Ours extends object>(
  channel: Channel,
  functions: Ours,
  onConnection: (handed: HandedConnection, socket: Socket | undefined) => void,
): Peer<Theirs> {
  const call = createBirpc<Theirs, Ours>(functions, {
    timeout: -1,
    // A peer that is gone is noticed by its end.
    post: (message) => void channel.send?.({ call: message }, undefined, undefined, () => {}),
    on: (listener) => {
      channel.on('message', (message, socket) => {
        const { call: data, handed } = message as { call?: unknown; handed?: HandedConnection }
        if (handed) onConnection(handed, socket as Socket | undefined)
        else listener(data)
      })
    },
  })
  return {
    call: call as never,
    hand(socket, handed, done) {
      detach(socket)
      channel.send?.({ handed }, socket, {}, () => done())
    },
  }
}

/** What Node's sockets have beyond their types. */
interface Internals {
  _handle: { reading: boolean; readStop(): void } | null
  server: unknown
}

/**
 * Leaves what arrives from here on to the other process. `Socket.pause` would read on until the socket's buffer is full,
 * and what is in the buffer would be lost. Without `server`, Node does not make the server wait at its end until the
 * other process has closed the connection, which it would forget when that process ends.
 */
function detach(socket: Socket): void {
  const internals = socket as unknown as Internals
  internals.server = undefined
  const { _handle: handle } = internals
  if (!handle) return
  handle.readStop()
  // While others are on their way, this one waits in a queue with its handle: a stream that takes it as stopped would start
  // it again, and drop the next request.
  handle.reading = true
}
