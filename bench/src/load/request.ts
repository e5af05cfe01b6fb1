import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

/** A request, whoever it goes to. */
export interface HttpRequest {
  path: string
  headers?: Record<string, string>
  /** JSON to be posted; left out: GET. */
  json?: string
}

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const methodOf = ({ json }: HttpRequest) => (json === undefined ? 'GET' : 'POST')

const headersOf = ({ headers, json }: HttpRequest): Record<string, string> => ({
  ...headers,
  ...(json !== undefined && {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
  }),
})

/** The request as it goes over the wire. */
export function requestBytes(request: HttpRequest): Buffer {
  const headers = Object.entries({ host: '127.0.0.1', ...headersOf(request) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${methodOf(request)} ${request.path} HTTP/1.1\r\n${lines}\r\n${request.json ?? ''}`)
}

/** Sends one request and reads the whole answer, through Node's own client. */
export function ask(server: { host: string; port: number }, request: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { host, port } = server
    const options = { host, port, path: request.path, method: methodOf(request), headers: headersOf(request) }
    const sent = httpRequest(options, async (response) => {
      try {
        const body = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode!, headers: response.headers, body })
      } catch (error) {
        reject(error)
      }
    })
    sent.on('error', reject).end(request.json)
  })
}
