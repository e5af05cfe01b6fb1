import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { atEnd, type TestScope } from './at-end.ts'

/** The way to a server that others use too, on which a test has faults happen. */
export interface FaultProxy {
  /** The address of the server, by way of here. */
  readonly url: string
  /** Resets all connections. New ones get through. */
  cut(): void
  /** Resets all connections, and nothing responds at the address any more. */
  refuse(): void
  /** The connections that are open now get no byte any more, in either direction, for good. New ones get through. */
  freezeOpen(): void
  /** Nothing gets a byte any more: open connections for good, new ones, which are accepted, until `resume`. */
  freeze(): void
  /** New connections get through again. */
  resume(): Promise<void>
}

interface Pair {
  client: Socket
  server: Socket | undefined
  isFrozen: boolean
}

/** Stands in front of the server that `url` names, until the test is over. */
export async function startFaultProxy(t: TestScope, url: string): Promise<FaultProxy> {
  const target = new URL(url)
  const pairs = new Set<Pair>()
  let isFrozen = false
  let listener: Server | undefined
  let port = 0

  function take(client: Socket): void {
    const pair: Pair = { client, server: undefined, isFrozen }
    pairs.add(pair)
    // Nothing is answered, not even an end.
    client.on('error', () => client.destroy())
    client.on('data', (bytes) => {
      if (!pair.isFrozen) pair.server!.write(bytes)
    })
    client.on('end', () => {
      if (!pair.isFrozen) pair.server!.end()
    })
    client.on('close', () => {
      pairs.delete(pair)
      pair.server?.destroy()
    })
    if (isFrozen) return
    const server = connect({
      host: target.hostname,
      port: Number(target.port),
      allowHalfOpen: true,
      noDelay: true,
    })
    pair.server = server
    server.on('error', () => server.destroy())
    server.on('data', (bytes) => {
      if (!pair.isFrozen) client.write(bytes)
    })
    server.on('end', () => {
      if (!pair.isFrozen) client.end()
    })
    server.on('close', () => {
      if (!pair.isFrozen) client.destroy()
    })
  }

  async function listen(): Promise<void> {
    listener = createServer({ allowHalfOpen: true, noDelay: true }, take).listen(port, '127.0.0.1')
    await once(listener, 'listening')
    port = (listener.address() as AddressInfo).port
  }

  function cut(): void {
    for (const { client } of pairs) client.resetAndDestroy()
  }

  function freezeOpen(): void {
    for (const pair of pairs) pair.isFrozen = true
  }

  await listen()
  atEnd(t, () => {
    listener?.close()
    cut()
  })
  const here = new URL(url)
  here.host = `127.0.0.1:${port}`
  return {
    url: here.href,
    cut,
    refuse() {
      listener?.close()
      listener = undefined
      cut()
    },
    freezeOpen,
    freeze() {
      isFrozen = true
      freezeOpen()
    },
    async resume() {
      isFrozen = false
      if (!listener) await listen()
    },
  }
}
