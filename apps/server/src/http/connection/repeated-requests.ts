import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connections } from './connections.ts'

/** Responds to requests by their bytes, without parsing them. */
export interface RepeatedRequests {
  /**
   * Writes the response to a request with these bytes (Latin-1) to the socket; returns false when it has none. May be
   * called for any bytes that end with an empty line.
   */
  respond(request: string, socket: Socket): boolean | Promise<boolean>
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** Longer requests are not looked up. */
const MAX_REQUEST_BYTES = 8 * 1024

interface ConnectionState {
  /**
   * Whether everything so far came in chunks of whole requests without bodies, so that the next chunk begins with a
   * request. Once this is false, Node's parser alone knows where a request begins.
   */
  isBetweenRequests: boolean
  /** How many requests Node has parsed. */
  parsed: number
  /** The last request that Node has parsed. */
  latest: IncomingMessage | undefined
  /** The chunk that was parsed last, if it consisted of whole requests. */
  chunk: Buffer | undefined
  /** The first request in the chunk that was parsed last. */
  first: IncomingMessage | undefined
}

const states = new WeakMap<Socket, ConnectionState>()

/**
 * Looks at the data of each connection before Node's parser does. When they are the bytes of a request that was
 * answered before, `repeated` responds; all other data are parsed as usual. Parsing a request and making Node's objects
 * for it takes more time than everything that a kept response needs.
 *
 * The bytes of a request mean the same each time if the parser is at the beginning of a request. So only connections
 * are considered on which every chunk consisted of whole requests without bodies, and on which nothing is in progress.
 */
export function watchRequests(
  server: HttpServer,
  connections: WatchedConnections,
  repeated: RepeatedRequests,
): void {
  const noteRequest = (request: IncomingMessage) => {
    const state = states.get(request.socket)
    if (!state) return
    state.parsed++
    state.latest = request
    state.first ??= request
  }
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, noteRequest)
  for (const event of ['upgrade', 'connect']) {
    // What follows is not HTTP. This listener comes first, so that whoever takes the connection gets its data.
    server.prependListener(event, ({ socket }: IncomingMessage) => {
      states.delete(socket)
      socket.removeAllListeners('data')
    })
  }
  server.on('connection', (socket: Socket) => watchConnection(socket, connections, repeated))
}

type WatchedConnections = Pick<Connections, 'isIdle' | 'setChecking'>

function watchConnection(socket: Socket, connections: WatchedConnections, repeated: RepeatedRequests): void {
  // Node's own listener, which hands the data to the parser.
  const [parse] = socket.listeners('data') as ((data: Buffer) => void)[]
  if (!parse) return
  const state: ConnectionState = {
    isBetweenRequests: true,
    parsed: 0,
    latest: undefined,
    chunk: undefined,
    first: undefined,
  }
  states.set(socket, state)

  function parseChunk(chunk: Buffer): void {
    state.chunk = undefined
    state.first = undefined
    const before = state.parsed
    parse!(chunk)
    // When a chunk has a body, half a request, or empty lines before one, the number of heads is not that of parsed
    // requests, or the last request is not complete.
    state.isBetweenRequests &&=
      endsWithHead(chunk) && countHeads(chunk) === state.parsed - before && state.latest?.complete === true
    if (state.isBetweenRequests) state.chunk = chunk
  }

  /**
   * Whether the next request may be answered here. The first one is always parsed, since Node closes connections on
   * which its parser has seen no request for a while.
   */
  const mayRespond = () => state.isBetweenRequests && state.parsed > 0 && connections.isIdle(socket)

  /** Data that have to wait, in the order in which they arrived. */
  let held: Buffer[] | undefined

  function receive(chunk: Buffer): void {
    if (held) {
      held.push(chunk)
      socket.pause()
    } else handle(chunk)
  }

  function handle(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0 && mayRespond()) {
      const length = rest.indexOf(END_OF_HEAD) + END_OF_HEAD.length
      if (length < END_OF_HEAD.length || length > MAX_REQUEST_BYTES) break
      const hasResponded = repeated.respond(rest.toString('latin1', 0, length), socket)
      if (hasResponded instanceof Promise) return void handleLater(rest, length, hasResponded)
      if (!hasResponded) break
      rest = rest.subarray(length)
    }
    if (rest.length > 0) parseChunk(rest)
  }

  async function handleLater(chunk: Buffer, length: number, responding: Promise<boolean>): Promise<void> {
    hold(chunk)
    const hasResponded = await responding
    // Others have their turn before the requests that came together with this one.
    if (hasResponded && chunk.length > length) await nextTurn()
    if (socket.destroyed) return
    const data = takeHeld()
    if (!hasResponded) parseChunk(data)
    else if (data.length > length) handle(data.subarray(length))
  }

  /** Keeps data, and those that follow, until `takeHeld`. */
  function hold(chunk: Buffer): void {
    held = [chunk]
    // The connection would otherwise be closed as idle between the response and this request.
    connections.setChecking(socket, true)
  }

  function takeHeld(): Buffer {
    // Reading passes what has arrived in the paused socket to `receive`.
    while (socket.isPaused() && socket.readableLength > 0) socket.read()
    const [first, ...others] = held!
    held = undefined
    connections.setChecking(socket, false)
    if (socket.isPaused()) socket.resume()
    return others.length === 0 ? first! : Buffer.concat([first!, ...others])
  }

  socket.removeListener('data', parse)
  socket.on('data', receive)
}

const endsWithHead = (chunk: Buffer): boolean =>
  chunk.length >= END_OF_HEAD.length && chunk.subarray(-END_OF_HEAD.length).equals(END_OF_HEAD)

function countHeads(chunk: Buffer): number {
  let count = 0
  for (
    let at = chunk.indexOf(END_OF_HEAD);
    at !== -1;
    at = chunk.indexOf(END_OF_HEAD, at + END_OF_HEAD.length)
  )
    count++
  return count
}

/**
 * Returns the bytes of a request as `RepeatedRequests` gets them; undefined when they were not at the beginning of a
 * chunk of whole requests, when other bytes have arrived since, or while the chunk is still parsed. Empty lines before a
 * request, which the parser skips, would be taken for the whole request.
 */
export function bytesOfRequest(request: IncomingMessage): string | undefined {
  const state = states.get(request.socket)
  if (state?.first !== request || !state.chunk) return undefined
  const length = state.chunk.indexOf(END_OF_HEAD) + END_OF_HEAD.length
  return length < END_OF_HEAD.length || length > MAX_REQUEST_BYTES
    ? undefined
    : state.chunk.toString('latin1', 0, length)
}
