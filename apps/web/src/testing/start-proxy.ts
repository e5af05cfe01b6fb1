import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

const LOCAL = '127.0.0.1'

export interface TestProxy {
  /** Where clients reach it, without a closing slash. */
  readonly address: string
  /** Whether forwarded requests lack the path. */
  setStripping(value: boolean): void
  stop(): void
}

/** A reverse proxy that serves the server at a local port below a path, and other responses elsewhere. */
export async function startProxy(path: string, port: number): Promise<TestProxy> {
  let isStripping = false

  /** Undefined: not under the path. */
  function findForwardedPath({ url = '' }: IncomingMessage): string | undefined {
    if (url !== path && !url.startsWith(`${path}/`)) return undefined
    return isStripping ? url.slice(path.length) || '/' : url
  }

  const server = createServer((incoming, response) => {
    const forwardedPath = findForwardedPath(incoming)
    if (forwardedPath === undefined) return response.writeHead(404).end('Something else.')
    const { method, headers } = incoming
    const passed = request({ host: LOCAL, port, path: forwardedPath, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    return incoming.pipe(passed)
  })
  server.on('upgrade', (incoming, socket, head) => {
    const forwardedPath = findForwardedPath(incoming)
    if (forwardedPath === undefined) return socket.destroy()
    const passed = connect(port, LOCAL, () => {
      const { rawHeaders } = incoming
      const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []))
      passed.write(`GET ${forwardedPath} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      passed.write(head)
      socket.pipe(passed).pipe(socket)
    })
    passed.on('error', () => socket.destroy())
    socket.on('error', () => passed.destroy())
    return socket
  })
  server.listen(0, LOCAL)
  await once(server, 'listening')
  return {
    address: `http://${LOCAL}:${(server.address() as AddressInfo).port}${path}`,
    setStripping(value) {
      isStripping = value
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
