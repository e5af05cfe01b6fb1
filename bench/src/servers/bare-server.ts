import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the bare server answers to everything, until it is told otherwise. */
export interface BareAnswer {
  status: number
  headers: Record<string, string>
  bodyBytes: number
  /** Sent in place of a buffer; it has `bodyBytes`. */
  file?: BareFile
}

export interface BareFile {
  path: string
  /** `stream`: Node's own pipe. `buffers`: read and written by hand, the fastest way that Node has. */
  manner: 'stream' | 'buffers'
}

/** What it says once it listens. */
export interface BareListening {
  port: number
}

const PIECE_BYTES = 256 * 1024

// The measure of all things here: Node's own server with one buffer in its hand. Runs as a process of its own.
let answer: BareAnswer = { status: 200, headers: {}, bodyBytes: 0 }
let body = Buffer.alloc(0)

async function sendFile({ path, manner }: BareFile, response: ServerResponse): Promise<void> {
  if (manner === 'stream') {
    createReadStream(path).pipe(response)
    return
  }
  await using file = await open(path)
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)]
  let writing = Promise.resolve()
  for (let turn = 0; ; turn ^= 1) {
    const piece = buffers[turn]!
    const [{ bytesRead }] = await Promise.all([file.read(piece, 0, PIECE_BYTES), writing])
    if (bytesRead === 0) break
    writing = new Promise((resolve) => response.write(piece.subarray(0, bytesRead), () => resolve()))
  }
  response.end()
}

const server = createServer((_request, response) => {
  response.writeHead(answer.status, answer.headers)
  if (answer.status === 304) response.end()
  else if (answer.file) void sendFile(answer.file, response)
  else response.end(body)
})
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port } satisfies BareListening)
})

process.on('message', (told: BareAnswer) => {
  answer = told
  body = Buffer.alloc(told.file ? 0 : told.bodyBytes, 'x')
  process.send!('changed')
})
process.on('disconnect', () => process.exit())
