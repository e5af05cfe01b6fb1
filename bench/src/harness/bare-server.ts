import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveTasks } from './processes.ts'

/** The response to every request, until the parent process sends another one. */
export interface BareResponse {
  status: number
  headers: Record<string, string>
  bodyBytes: number
  /** The file that is sent in place of a buffer. It has `bodyBytes` bytes. */
  file?: BareFile
}

export interface BareFile {
  path: string
  /**
   * How the file is sent. `stream` pipes a read stream. `buffers` reads and writes two buffers in turn, which is
   * faster.
   */
  manner: 'stream' | 'buffers'
}

const PIECE_BYTES = 256 * 1024

// The reference of all comparisons: a plain node:http server with one buffer. Runs as a separate process.
let current: BareResponse = { status: 200, headers: {}, bodyBytes: 0 }
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
  response.writeHead(current.status, current.headers)
  if (current.status === 304) response.end()
  else if (current.file) void sendFile(current.file, response)
  else response.end(body)
})
server.keepAliveTimeout = 75_000

serveTasks<BareResponse | 'listen'>(async (task) => {
  if (task === 'listen') {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  current = task
  body = Buffer.alloc(task.file ? 0 : task.bodyBytes, 'x')
  return undefined
})
