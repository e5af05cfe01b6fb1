import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

/** An HTTP request without its server. */
export interface HttpRequest {
  path: string
  headers?: Record<string, string>
  /** The method. When omitted, it is POST for a request with a body and GET otherwise. */
  method?: string
  /** A JSON body. */
  json?: string
  /** A binary body. */
  bytes?: Uint8Array
}

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The time from the request to the first bytes of the body, in milliseconds; absent without a body. */
  firstByteMs?: number
}

const bodyOf = ({ json, bytes }: HttpRequest) => json ?? bytes

const methodOf = (request: HttpRequest) => request.method ?? (bodyOf(request) === undefined ? 'GET' : 'POST')

function headersOf(request: HttpRequest): Record<string, string> {
  const body = bodyOf(request)
  if (body === undefined) return { ...request.headers }
  return {
    'content-type': request.json === undefined ? 'application/octet-stream' : 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...request.headers,
  }
}

/** Returns the address of a server, without a path. */
export const addressOf = ({ host, port }: { host: string; port: number }): string => `http://${host}:${port}`

/** Returns the bytes of a request on the wire. */
export function requestBytes(request: HttpRequest): Buffer {
  const headers = Object.entries({ host: '127.0.0.1', ...headersOf(request) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(`${methodOf(request)} ${request.path} HTTP/1.1\r\n${lines}\r\n`)
  return Buffer.concat([head, Buffer.from(bodyOf(request) ?? '')])
}

/** Sends one request with Node's HTTP client and reads the whole response. Rejects when the signal aborts. */
export function sendRequest(
  server: { host: string; port: number },
  request: HttpRequest,
  { signal }: { signal?: AbortSignal } = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { host, port } = server
    const [method, headers] = [methodOf(request), headersOf(request)]
    const options = { host, port, path: request.path, method, headers, ...(signal && { signal }) }
    const startedAt = performance.now()
    const sent = httpRequest(options, async (response) => {
      try {
        const chunks: Buffer[] = []
        let firstByteMs: number | undefined
        for await (const chunk of response) {
          firstByteMs ??= performance.now() - startedAt
          chunks.push(chunk)
        }
        const { statusCode, headers } = response
        resolve({
          status: statusCode!,
          headers,
          body: Buffer.concat(chunks),
          ...(firstByteMs !== undefined && { firstByteMs }),
        })
      } catch (error) {
        reject(error)
      }
    })
    sent.on('error', reject).end(bodyOf(request))
  })
}
