import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A load balancer in front of several servers, as operators configure nginx or HAProxy. */
export interface RoundRobin extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** Resets all connections, on both sides. */
  cut(): void
}

interface Backend {
  port: number
  /** Whether its `/readyz` answered 200 last time, and no connection was refused since. */
  isUp: boolean
}

const HOST = '127.0.0.1'
const CHECK_MS = 500

/**
 * Starts a load balancer. It passes each request to the next server that is ready, and each WebSocket likewise. A
 * server that cannot be reached is left out until its `/readyz` answers 200 again. A request without a body whose
 * server vanished before it answered is sent to the next one; everything else then is 502.
 */
export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const backends: Backend[] = ports.map((port) => ({ port, isUp: true }))
  const agent = new Agent({ keepAlive: true })
  const sockets = new Set<Duplex>()
  const stopped = new AbortController()
  let turn = 0

  /** Lists the servers in the order in which they are tried. When none is up, any of them may be tried. */
  function listCandidates(): Backend[] {
    turn++
    const rotated = backends.map((_, index) => backends[(turn + index) % backends.length]!)
    const up = rotated.filter(({ isUp }) => isUp)
    return up.length > 0 ? up : rotated
  }

  async function check(backend: Backend): Promise<void> {
    while (!stopped.signal.aborted) {
      await sleep(CHECK_MS, undefined, { signal: stopped.signal }).catch(() => {})
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(3000)])
      backend.isUp = await fetch(`http://${HOST}:${backend.port}/readyz`, { signal }).then(
        async (response) => {
          await response.body?.cancel()
          return response.ok
        },
        () => false,
      )
    }
  }

  function pass(incoming: IncomingMessage, response: ServerResponse, candidates: Backend[]): void {
    const [backend, ...others] = candidates
    const { method, url } = incoming
    const headers = { ...endToEnd(incoming.headers), 'x-forwarded-for': incoming.socket.remoteAddress }
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers
    const outgoing = request({ host: HOST, port: backend!.port, path: url, method, headers, agent })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode!, endToEnd(answer.headers))
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') backend!.isUp = false
      // A body can be read once only.
      const mayBeRepeated = !hasBody && (error.code === 'ECONNREFUSED' || method === 'GET')
      if (response.headersSent || response.destroyed) response.destroy()
      else if (mayBeRepeated && others.length > 0) pass(incoming, response, others)
      else response.writeHead(502).end('The server cannot be reached.')
    })
    response.on('close', () => outgoing.destroy())
    if (hasBody) incoming.pipe(outgoing)
    else outgoing.end()
  }

  function passSocket(incoming: IncomingMessage, client: Duplex, head: Buffer, candidates: Backend[]): void {
    const [backend, ...others] = candidates
    const server: Socket = connect({ host: HOST, port: backend!.port, noDelay: true })
    let isConnected = false
    server.on('connect', () => {
      isConnected = true
      server.write(toBytes(incoming))
      server.write(head)
      client.pipe(server).pipe(client)
    })
    server.on('error', () => {
      if (isConnected || others.length === 0 || client.destroyed) return void client.destroy()
      backend!.isUp = false
      passSocket(incoming, client, head, others)
    })
    server.on('close', () => isConnected && client.destroy())
    client.on('close', () => server.destroy())
  }

  const server = createServer((incoming, response) => pass(incoming, response, listCandidates()))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    passSocket(incoming, client, head, listCandidates())
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  const checks = backends.map(check)
  return {
    host: HOST,
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const socket of sockets) (socket as Socket).resetAndDestroy()
    },
    async [Symbol.asyncDispose]() {
      stopped.abort()
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      server.close()
      await Promise.all(checks)
    },
  }
}

/** Returns the headers that are not about the connection itself. */
function endToEnd({ connection: _, 'keep-alive': __, ...headers }: IncomingHttpHeaders): OutgoingHttpHeaders {
  return headers
}

/** Returns the head of a request as it was received. */
function toBytes({ method, url, rawHeaders }: IncomingMessage): string {
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
