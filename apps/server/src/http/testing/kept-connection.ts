import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { until } from '../../testing/until.ts'

/** Counts the requests to the server at this address that Node parses from now on. */
export function countParsed(t: TestContext, address: string): () => number {
  const port = Number(new URL(address).port)
  let parsed = 0
  const count = (message: unknown) => {
    if ((message as { socket: Socket }).socket.localPort === port) parsed++
  }
  subscribe('http.server.request.start', count)
  t.after(() => unsubscribe('http.server.request.start', count))
  return () => parsed
}

/**
 * Opens a connection that is kept. Returns a function that sends a request of the API over it, with further lines of its
 * head, and resolves with the bytes of the response: one without a body, or with an object of JSON.
 */
export function keepConnection(t: TestContext, address: string) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  t.after(() => socket.destroy())
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  return async (path: string, token: string, lines = ''): Promise<string> => {
    received = ''
    socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${lines}\r\n`)
    await until('the response', async () =>
      received.endsWith(received.startsWith('HTTP/1.1 304') ? '\r\n\r\n' : '}'),
    )
    return received
  }
}
