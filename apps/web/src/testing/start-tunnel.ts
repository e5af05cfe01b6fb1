import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const LOCAL = '127.0.0.1'

/** Forwards connections to the server at a local port. While it is broken, nothing passes, and nothing is closed. */
export async function startTunnel(port: number) {
  let isBroken = false
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, LOCAL)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (bytes) => {
        if (!isBroken) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        if (!isBroken) to.destroy()
      })
    }
  })
  server.listen(0, LOCAL)
  await once(server, 'listening')
  return {
    address: `http://${LOCAL}:${(server.address() as AddressInfo).port}`,
    setBroken(value: boolean) {
      isBroken = value
    },
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
