import { once } from 'node:events'
import { connect } from 'node:net'

/** A response as it came over the connection. */
export interface RawResponse {
  status: number
  headers: Headers
  text: string
}

/**
 * Sends bytes that no client library would send, on a connection of their own, and reads what comes back until the
 * server closes it. Each further piece is sent when something has come back. Rejects when the connection is reset.
 * Responses are taken to have the form that this server gives them: a length, or no body.
 */
export async function requestRaw(
  address: string,
  ...pieces: (string | Uint8Array)[]
): Promise<RawResponse[]> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  const send = () => pieces.length > 0 && socket.write(pieces.shift()!)
  send()
  socket.on('data', (bytes) => {
    received.push(bytes)
    send()
  })
  await once(socket, 'close').catch((cause) => {
    throw new Error(`The connection broke off behind "${Buffer.concat(received).toString('latin1')}".`, {
      cause,
    })
  })
  return readResponses(Buffer.concat(received).toString('latin1'))
}

/** The only response; fails when there are others. */
export async function requestRawOnce(
  address: string,
  ...pieces: (string | Uint8Array)[]
): Promise<RawResponse> {
  const [response, ...others] = await requestRaw(address, ...pieces)
  if (!response || others.length > 0) throw new Error(`One answer was to come, and ${others.length + 1} did.`)
  return response
}

function readResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end === -1 || !status) throw new Error(`This is no answer: ${rest.slice(0, 200)}`)
    const headers = new Headers(
      fields.map((field): [string, string] => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon), field.slice(colon + 1)]
      }),
    )
    const length = status === 304 ? 0 : Number(headers.get('content-length') ?? 0)
    const body = rest.slice(end + 4)
    responses.push({ status, headers, text: Buffer.from(body.slice(0, length), 'latin1').toString() })
    rest = body.slice(length)
  }
  return responses
}
