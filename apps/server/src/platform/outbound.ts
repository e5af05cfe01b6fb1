import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { VERSION } from './version.ts'

/** A request to a server that somebody else configured or runs. */
export interface OutboundPost {
  url: URL
  /**
   * The address to connect to, which was checked: the name in the URL is not looked up again, whatever it leads to by
   * now. By default the name is looked up.
   */
  address?: string
  headers: Record<string, string>
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
 * Posts over a connection of its own, which neither the environment configures nor anything else uses, so that a
 * connection that is lost was never one that the server had closed before. Follows no redirects. Resolves with the
 * headers of the response, whatever its status. Rejects with a {@link NotConnectedError}, or with the error that ended
 * the connection.
 */
export function postOutbound({
  url,
  address,
  headers,
  body,
  connectMs,
  signal,
}: OutboundPost): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const name = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let isConnected = false
  const options = {
    method: 'POST',
    host: address ?? name,
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    agent: false,
    signal,
    headers: {
      host: url.host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Meadow/${VERSION}`,
      ...headers,
    },
  } as const
  const request = isSecure
    ? requestHttps({
        ...options,
        rejectUnauthorized: true,
        ...(address !== undefined && name !== address && { servername: name }),
      })
    : requestHttp(options)
  const timer =
    connectMs === undefined
      ? undefined
      : setTimeout(() => request.destroy(new ConnectTimeoutError()), connectMs)
  request.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
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
