import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { createMessageReader } from './message-reader.ts'

/** A pooler that runs. */
export interface RunningPooler {
  port: number
  close(): Promise<void>
}

/**
 * A pooler in transaction mode, for machines without PgBouncer: it lends each client a connection of PostgreSQL until a
 * transaction is over. Connections are lent in turn, so that whatever a client leaves on one shows at once. It knows
 * one user, asks for no password, and drops notifications that arrive on idle connections, as PgBouncer does.
 * `url` is the address of PostgreSQL, without a database.
 */
export async function startTransactionPooler(url: string, poolSize: number): Promise<RunningPooler> {
  const servers = new Map<string, ServerPool>()
  const clients = new Set<Socket>()
  const findPool = (database: string) => {
    const known = servers.get(database) ?? createServerPool(`${url}/${database}`, poolSize)
    servers.set(database, known)
    return known
  }
  const listener = createServer({ noDelay: true }, (socket) => {
    clients.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => clients.delete(socket))
    serveClient(socket, findPool)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      listener.close()
      for (const socket of clients) socket.destroy()
      for (const pool of servers.values()) pool.close()
    },
  }
}

/** A connection of PostgreSQL that clients share. */
interface Server {
  socket: Socket
  applicationName: string
  /** Gets the messages of PostgreSQL while a client has the connection. */
  receive: ((type: string, message: Buffer) => void) | undefined
  /** Called when the connection is lost while a client has it. */
  lose: () => void
}

interface ServerPool {
  acquire(): Promise<Server>
  release(server: Server): void
  close(): void
}

function createServerPool(url: string, size: number): ServerPool {
  const idle: Server[] = []
  const waiting: PromiseWithResolvers<Server>[] = []
  const open = new Set<Server>()
  let count = 0

  async function connect(): Promise<Server> {
    count++
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      count--
      throw error
    }
    // From here on only the bytes matter.
    const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream
    socket.removeAllListeners()
    const server: Server = { socket, applicationName: '', receive: undefined, lose: () => {} }
    open.add(server)
    socket.on(
      'data',
      createMessageReader((type, message) => server.receive?.(type, message)),
    )
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      count--
      open.delete(server)
      const at = idle.indexOf(server)
      if (at >= 0) idle.splice(at, 1)
      server.lose()
      const next = waiting.shift()
      if (next) connect().then(next.resolve, next.reject)
    })
    return server
  }

  return {
    async acquire() {
      const server = idle.shift()
      if (server) return server
      if (count < size) return connect()
      const turn = Promise.withResolvers<Server>()
      waiting.push(turn)
      return turn.promise
    },
    release(server) {
      server.receive = undefined
      server.lose = () => {}
      const next = waiting.shift()
      if (next) next.resolve(server)
      else idle.push(server)
    },
    close() {
      for (const { socket } of open) socket.destroy()
    },
  }
}

const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102

/** Messages of a client that PostgreSQL answers with ReadyForQuery: Query, Sync, FunctionCall. */
const ANSWERED = new Set(['Q', 'S', 'F'])

function serveClient(socket: Socket, findPool: (database: string) => ServerPool): void {
  let pool: ServerPool | undefined
  let applicationName = ''
  let server: Server | undefined
  let unanswered = 0
  let isLinking = false
  /** Messages that wait for a connection. */
  const held: Buffer[] = []

  const read = createMessageReader(receive, { startsUntyped: true })
  socket.on('data', read)
  socket.on('close', () => {
    // In the middle of a transaction, nobody else can use the connection.
    server?.socket.destroy()
  })

  function receive(type: string, message: Buffer): void {
    if (type === '') start(message)
    else if (type === 'X') socket.end()
    else pass(type, message)
  }

  function pass(type: string, message: Buffer): void {
    if (ANSWERED.has(type)) unanswered++
    held.push(message)
    if (server) flush()
    else if (!isLinking) void link()
  }

  function start(message: Buffer): void {
    const code = message.readInt32BE(4)
    if (code === CANCEL_REQUEST) return void socket.destroy()
    if (code === SSL_REQUEST) return void socket.write('N')
    read.setTyped()
    const fields = message.subarray(8).toString().split('\0')
    const find = (name: string) => fields[fields.indexOf(name) + 1]!
    pool = findPool(find('database'))
    if (fields.includes('application_name')) applicationName = find('application_name')
    socket.write(greeting())
  }

  async function link(): Promise<void> {
    isLinking = true
    let acquired: Server
    try {
      acquired = await pool!.acquire()
    } catch (error) {
      return void socket.end(errorMessage(`server login failed: ${(error as Error).message}`))
    } finally {
      isLinking = false
    }
    if (socket.destroyed) return pool!.release(acquired)
    server = acquired
    server.lose = () => {
      server = undefined
      // What the client sends before it notices belongs to the transaction that is lost: no other connection may run it.
      socket.removeListener('data', read)
      socket.end()
    }
    if (server.applicationName === applicationName) return attach(server)
    server.receive = (type) => type === 'Z' && attach(acquired)
    server.applicationName = applicationName
    server.socket.write(frame('Q', `set application_name = '${applicationName}'\0`))
  }

  function attach(acquired: Server): void {
    acquired.receive = (type, message) => {
      socket.write(message)
      if (type !== 'Z' || --unanswered > 0 || message.toString('latin1', 5) !== 'I') return
      server = undefined
      pool!.release(acquired)
    }
    flush()
  }

  function flush(): void {
    for (const message of held.splice(0)) server!.socket.write(message)
  }
}

function frame(type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

/** The messages that end a start: the process id and the key are of no process of PostgreSQL. */
function greeting(): Buffer {
  const key = Buffer.alloc(8)
  // Above all process ids of Linux.
  key.writeInt32BE(2 ** 30 + randomInt(2 ** 29), 0)
  return Buffer.concat([
    frame('R', Buffer.alloc(4)),
    frame('S', 'client_encoding\0UTF8\0'),
    frame('S', 'server_version\x0016\0'),
    frame('K', key),
    frame('Z', 'I'),
  ])
}

const errorMessage = (text: string): Buffer => frame('E', `SFATAL\0C08P01\0M${text}\0\0`)
