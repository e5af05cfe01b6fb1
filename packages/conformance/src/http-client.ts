import { once } from 'node:events'
import { Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'

/** What a server answered to one request. */
export interface Answer {
  /** The request in short, for messages: its method and address, without host and token. */
  request: string
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The body as JSON; undefined when it is not JSON. */
  json: unknown
  /** From sending the request to the end of the response, in milliseconds. */
  durationMs: number
}

export interface Sent {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** How often a request is sent again that a rate limit refused, which says nothing about the contract. */
const MAX_RETRIES = 5

export interface HttpClient {
  /**
   * Sends a request to an absolute address. Behind the host the address goes out as it is written, also where a browser
   * would change it, and redirects are not followed. Rejects when no response comes within the timeout.
   */
  send(address: string, sent?: Sent): Promise<Answer>
  close(): void
}

/** Opens a client that keeps its connections. `timeoutMs` is for each request, in milliseconds. */
export function openHttpClient(timeoutMs: number): HttpClient {
  const http = new HttpAgent({ keepAlive: true })
  const https = new HttpsAgent({ keepAlive: true })

  async function sendOnce(address: string, { method = 'GET', headers = {}, body }: Sent): Promise<Answer> {
    const [, origin = '', path] = /^(https?:\/\/[^/]+)(.*)$/.exec(address) ?? []
    const { protocol, hostname, port } = new URL(origin)
    const isSecure = protocol === 'https:'
    const start = performance.now()
    const sent = (isSecure ? requestHttps : requestHttp)({
      agent: isSecure ? https : http,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: path || '/',
      method,
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    })
    sent.end(body)
    const [response] = await once(sent, 'response')
    const bytes = Buffer.concat(await response.toArray())
    return {
      request: `${method} ${path}`,
      status: response.statusCode,
      headers: response.headers,
      bytes,
      json: parse(bytes),
      durationMs: performance.now() - start,
    }
  }

  return {
    async send(address, sent = {}) {
      for (let retries = 0; ; retries++) {
        const answer = await sendOnce(address, sent)
        if (answer.status !== 429 || retries === MAX_RETRIES) return answer
        const seconds = Number(answer.headers['retry-after'] ?? 1)
        await wait(1000 * Math.min(Number.isFinite(seconds) ? seconds : 1, 60))
      }
    },
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
