import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { VERSION } from './version.ts'

/** A request to a server that somebody else configured or runs. */
export interface OutboundRequest {
  method: string
  url: URL
  /**
   * The address to connect to, which was checked: the name in the URL is not looked up again, whatever it leads to by
   * now. By default the name is looked up.
   */
  address?: string | undefined
  headers: Record<string, string | number>
  /** The connections to use. By default the request has a connection of its own. */
  connections?: Connections
  signal?: AbortSignal | undefined
}

/** Connections that requests use one after the other. */
export type Connections = HttpAgent

/** Keeps connections open, to all servers with this protocol: at most so many at once, of which 64 may be idle. */
export function keepConnections(protocol: string, maxSockets: number): Connections {
  const options = { keepAlive: true, maxFreeSockets: 64, maxSockets }
  return protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
}

/**
 * Opens a request, to which the caller writes the body. The environment configures nothing of it, and redirects are not
 * followed.
 */
export function openOutbound({
  method,
  url,
  address,
  headers,
  connections,
  signal,
}: OutboundRequest): ClientRequest {
  const isSecure = url.protocol === 'https:'
  const name = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const options = {
    method,
    host: address ?? name,
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    agent: connections ?? false,
    ...(signal && { signal }),
    headers: { host: url.host, ...headers },
  } as const
  if (!isSecure) return requestHttp(options)
  const servername = address !== undefined && name !== address ? { servername: name } : {}
  return requestHttps({ ...options, rejectUnauthorized: true, ...servername })
}

export interface OutboundPost extends Omit<OutboundRequest, 'method' | 'connections'> {
  body: string | Uint8Array
  /** The longest time to look up the name, connect and agree on keys; by default the signal alone ends that. */
  connectMs?: number
  signal: AbortSignal
}

/** Why there was no connection: the other side has certainly received nothing. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
  /**
   * `tls`: the server has no TLS, or a certificate that is not trusted, expired or for another name. `aborted`: the
   * signal aborted. `timeout`: connecting took longer than `connectMs`.
   */
  readonly reason: 'aborted' | 'timeout' | 'tls' | 'unreachable'
  /** The code of the system or of TLS, such as ECONNREFUSED; empty when there is no code. */
  readonly code: string

  constructor(reason: NotConnectedError['reason'], cause: NodeJS.ErrnoException) {
    super('No connection was possible.', { cause })
    this.reason = reason
    this.code = cause.code ?? ''
  }
}

const TLS_ERROR = /CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|^EPROTO$/

class ConnectTimeoutError extends Error {}

/**
 * Posts JSON over a connection of its own, so that a connection that is lost was never one that the server had closed
 * before. Resolves with the headers of the response, whatever its status. Rejects with a {@link NotConnectedError}, or
 * with the error that ended the connection.
 */
export function postOutbound({ headers, body, connectMs, ...to }: OutboundPost): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let isConnected = false
  const request = openOutbound({
    ...to,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Meadow/${VERSION}`,
      ...headers,
    },
  })
  const timer =
    connectMs === undefined
      ? undefined
      : setTimeout(() => request.destroy(new ConnectTimeoutError()), connectMs)
  request.once('socket', (socket) => {
    socket.once(to.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true
      clearTimeout(timer)
    })
  })
  request.once('response', resolve)
  request.once('close', () => clearTimeout(timer))
  // The listener stays after the response, since a socket error without a listener would end the process.
  request.on('error', (error) => reject(isConnected ? error : toNotConnected(error)))
  request.end(body)
  return promise
}

function toNotConnected(error: NodeJS.ErrnoException): NotConnectedError {
  if (error.name === 'AbortError') return new NotConnectedError('aborted', error)
  if (error instanceof ConnectTimeoutError) return new NotConnectedError('timeout', error)
  return new NotConnectedError(TLS_ERROR.test(error.code ?? '') ? 'tls' : 'unreachable', error)
}
