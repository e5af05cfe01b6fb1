import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the bare server answers to everything, until it is told otherwise. */
export interface BareAnswer {
  status: number
  headers: Record<string, string>
  bodyBytes: number
}

/** What it says once it listens. */
export interface BareListening {
  port: number
}

// The measure of all things here: Node's own server with one buffer in its hand. Runs as a process of its own.
let answer: BareAnswer = { status: 200, headers: {}, bodyBytes: 0 }
let body = Buffer.alloc(0)

const server = createServer((_request, response) => {
  response.writeHead(answer.status, answer.headers)
  if (answer.status === 304) response.end()
  else response.end(body)
})
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port } satisfies BareListening)
})

process.on('message', (told: BareAnswer) => {
  answer = told
  body = Buffer.alloc(told.bodyBytes, 'x')
  process.send!('changed')
})
process.on('disconnect', () => process.exit())
