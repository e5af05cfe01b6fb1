import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  hostHeaderValidation,
  type NodeIncomingMessageLike,
  originValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server'
import { createConnections } from './connections.ts'
import { createServer, type Report } from './server.ts'
import { TOOL_DESCRIPTIONS } from './tools/tools.ts'

export interface HttpOptions {
  /** The address of the service, under which people sign in to let a client fetch a token. */
  baseUrl: string
  /** The address to listen at: 127.0.0.1 unless given. Other machines reach any other address. */
  host?: string | undefined
  /** The port to listen at. 0 stands for any port that is free. */
  port: number
  /**
   * The token for requests without one. Only for a loopback address: everyone who reaches the port has its rights.
   * Without it each request needs an API token of its own.
   */
  sharedToken?: string | undefined
  /** Names under which clients and pages of browsers may reach this server, besides the local ones. */
  allowedHosts?: readonly string[] | undefined
  /**
   * The address under which clients reach `/mcp` through a proxy, such as `https://mcp.example.org/mcp`. Its name is
   * allowed too. By default it is the address of the request.
   */
  publicUrl?: string | undefined
  report: Report
}

export interface RunningHttp {
  /** The address of the server, such as `http://127.0.0.1:4001/mcp`. */
  url: string
  /** Ends the running requests, and stops the server. */
  close(): Promise<void>
}

const PATH = '/mcp'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
/** The maximum size of the body of a request in bytes. Arguments are short. */
const MAX_BODY_BYTES = 256 * 1024
/** The maximum numbers of requests at once, and of connections. Each may hold an answer of the service in memory. */
const MAX_REQUESTS = 32
const MAX_CONNECTIONS = 256
/** The time in which a request has to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Serves MCP over HTTP at `/mcp`, without sessions: each request stands alone, and has the rights of its token. A client
 * without a token learns from the response where its person signs in to give it one (RFC 9728).
 */
export async function serveMcpOverHttp(options: HttpOptions): Promise<RunningHttp> {
  const { baseUrl, host = '127.0.0.1', port, sharedToken, allowedHosts = [], publicUrl, report } = options
  if (sharedToken !== undefined && !isLoopback(host))
    throw new Error(
      `With a token of its own the server listens on a loopback address only, not on ${host}: everyone who reaches it would have the rights of that token.`,
    )
  const connections = createConnections(baseUrl, sharedToken)
  const handler = createMcpHandler(
    async ({ authInfo }) => createServer(await connections.open(authInfo!.token), report),
    { onerror: report, maxRequestBodySize: MAX_BODY_BYTES, maxSubscriptions: 0 },
  )
  const handle = toNodeHandler(handler, { onerror: report, maxRequestBodySize: MAX_BODY_BYTES })
  const hosts = [...LOOPBACK, ...(isLoopback(host) ? [] : [bracketed(host)]), ...allowedHosts]
  if (publicUrl !== undefined) hosts.push(new URL(publicUrl).hostname)
  const isHostAllowed = hostHeaderValidation(hosts)
  const isOriginAllowed = originValidation(hosts)
  let requests = 0

  async function respond(
    request: IncomingMessage & { auth?: AuthInfo },
    response: ServerResponse,
  ): Promise<void> {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return
    const resource = new URL(publicUrl ?? `http://${request.headers.host}${PATH}`)
    const path = request.url?.split('?')[0]
    if ([METADATA, METADATA + PATH, METADATA + resource.pathname].includes(path!)) {
      sendJson(response, 200, describeResource(resource, baseUrl))
      return
    }
    if (path !== PATH) return refuse(response, 404, `MCP is at ${PATH}.`)
    const challenge = challengeOf(resource)
    const { authorization } = request.headers
    const token = authorization === undefined ? sharedToken : readToken(authorization)
    if (token === undefined) return refuse(response, 401, NO_TOKEN, challenge)
    const { scopes, isRejected } = await connections.open(token)
    if (isRejected) return refuse(response, 401, BAD_TOKEN, `${challenge}, error="invalid_token"`)
    request.auth = { token, clientId: 'api-token', scopes: [...(scopes ?? [])] }
    await handle(request as NodeIncomingMessageLike, response)
  }

  const server = createHttpServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (requests >= MAX_REQUESTS) return refuse(response, 503, BUSY)
    requests++
    response.once('close', () => requests--)
    respond(request, response).catch((error: unknown) => {
      report(error)
      if (!response.headersSent) refuse(response, 500, 'Something went wrong in the MCP server of Meadow.')
      else response.destroy()
    })
  })
  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: `http://${bracketed(host)}:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await handler.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Where the metadata of a protected resource begins; the path of the resource follows (RFC 9728, 3.1). */
const METADATA = '/.well-known/oauth-protected-resource'
/** What the tools need. A token without one of them has fewer tools. */
const SCOPES = [...new Set(TOOL_DESCRIPTIONS.map(({ scope }) => scope))]

/** What a client without a token gets: where to read how to get one, and with which scopes. */
const challengeOf = (resource: URL): string =>
  `Bearer realm="Meadow", resource_metadata="${new URL(METADATA + resource.pathname, resource)}", scope="${SCOPES.join(' ')}"`

/** Says where clients get a token for this server (RFC 9728). */
const describeResource = (resource: URL, baseUrl: string) => ({
  resource: resource.href,
  resource_name: 'Meadow',
  authorization_servers: [baseUrl.replace(/\/+$/, '')],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
})

const NO_TOKEN =
  'This request needs an API token of Meadow: send the header "Authorization: Bearer <API_TOKEN>".'
const BAD_TOKEN = 'That API token is unknown, expired or revoked.'
const BUSY = 'Too many requests are under way. Try again in a moment.'

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)

/** Returns a host in the form that addresses contain. */
const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Reads the token of a header. A header may have any bytes, but a token only visible characters of ASCII. */
const readToken = (authorization: string): string | undefined =>
  /^Bearer +([\x21-\x7e]+)$/i.exec(authorization.trim())?.[1]

/** Sends an error in the form of JSON-RPC. */
function refuse(response: ServerResponse, status: number, message: string, challenge?: string): void {
  if (challenge !== undefined) response.setHeader('www-authenticate', challenge)
  if (status === 503) response.setHeader('retry-after', '1')
  sendJson(response, status, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
