import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { Duplex } from 'node:stream'
import {
  currentProcess,
  randomDelay,
  runIn,
  schedule,
  scheduleAt,
  type VirtualProcess,
  virtualNow,
  virtualRandom,
} from './virtual-time.ts'

/*
 * A network within this process. It replaces what listens and connects in Node, so it has to be imported before the code
 * under test.
 */

interface Listener {
  server: net.Server
  process: VirtualProcess | undefined
}

const HOST = '127.0.0.1'
const listeners = new Map<number, Listener>()
const sockets = new Set<VirtualSocket>()
let lastPort = 20_000

/** One end of a connection. What it writes arrives at the other end after a delay, in order. */
class VirtualSocket extends Duplex {
  readonly owner: VirtualProcess | undefined
  readonly remoteAddress = HOST
  readonly localAddress = HOST
  readonly remoteFamily = 'IPv4'
  remotePort = 0
  localPort = 0
  bytesRead = 0
  bytesWritten = 0
  timeout = 0
  connecting = true
  peer: VirtualSocket | undefined
  #isReset = false
  #lastArrival = 0
  #silence: ReturnType<typeof setTimeout> | undefined
  /** Calls that wait until the socket is connected. */
  readonly #afterConnect: (() => void)[] = []

  constructor(owner: VirtualProcess | undefined, allowHalfOpen: boolean) {
    super({ allowHalfOpen })
    this.owner = owner
    sockets.add(this)
    this.once('close', () => sockets.delete(this))
  }

  connected(peer: VirtualSocket): void {
    this.peer = peer
    this.connecting = false
    for (const call of this.#afterConnect.splice(0)) call()
  }

  /** Lets something happen at the other end, after everything that was sent before. */
  #send(arrive: (peer: VirtualSocket) => void): void {
    if (this.connecting) {
      this.#afterConnect.push(() => this.#send(arrive))
      return
    }
    const { peer } = this
    if (!peer) return
    this.#lastArrival = Math.max(this.#lastArrival, virtualNow() + randomDelay())
    scheduleAt(this.#lastArrival, () => peer.destroyed || arrive(peer), peer.owner)
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#isReset || this.peer?.destroyed) {
      done(failure('EPIPE', 'write EPIPE'))
      return
    }
    this.bytesWritten += chunk.length
    this.#touch()
    const bytes = Buffer.from(chunk)
    this.#send((peer) => peer.#receive(bytes))
    schedule(0, () => done())
  }

  #receive(chunk: Buffer): void {
    this.bytesRead += chunk.length
    this.#touch()
    runIn(this.owner, () => this.push(chunk))
  }

  override _final(done: () => void): void {
    this.#send((peer) => runIn(peer.owner, () => peer.push(null)))
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#silence)
    this.#send((peer) => peer.reset())
    done(error)
  }

  /** The connection is gone, without a word. */
  reset(): void {
    this.#isReset = true
    runIn(this.owner, () => {
      if (this.readableEnded || this.writableFinished) this.destroy()
      else this.destroy(failure('ECONNRESET', 'read ECONNRESET'))
    })
  }

  resetAndDestroy(): this {
    return this.destroy(failure('ECONNRESET', 'read ECONNRESET'))
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  setTimeout(ms: number, listener?: () => void): this {
    this.timeout = ms
    if (listener && ms === 0) this.off('timeout', listener)
    else if (listener) this.once('timeout', listener)
    this.#touch()
    return this
  }

  #touch(): void {
    clearTimeout(this.#silence)
    if (this.timeout > 0 && !this.destroyed)
      this.#silence = setTimeout(() => this.emit('timeout'), this.timeout)
  }

  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this
  address = () => ({ address: HOST, family: 'IPv4', port: this.localPort })
}

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })

interface Target {
  port: number
}

function connect(...given: unknown[]): VirtualSocket {
  const [first, ...rest] = given.flat() as [Target | number | string, ...unknown[]]
  const port = Number(typeof first === 'object' ? first.port : first)
  const client = new VirtualSocket(currentProcess(), false)
  const onConnect = rest.find((one) => typeof one === 'function') as (() => void) | undefined
  if (onConnect) client.once('connect', onConnect)
  schedule(randomDelay(), () => open(client, port), undefined)
  return client
}

function open(client: VirtualSocket, port: number): void {
  const listener = listeners.get(port)
  const refuse = () => client.destroy(failure('ECONNREFUSED', `connect ECONNREFUSED ${HOST}:${port}`))
  if (client.destroyed) return
  if (!listener) return void schedule(randomDelay(), () => runIn(client.owner, refuse), client.owner)
  const { server, process } = listener
  const own = new VirtualSocket(process, true)
  ;[client.remotePort, own.localPort, client.localPort, own.remotePort] = [port, port, ++lastPort, lastPort]
  own.connected(client)
  // A connection that is reset before the server has taken it never existed for the server.
  const ignore = () => {}
  own.on('error', ignore)
  const take = () => {
    own.off('error', ignore)
    server.emit('connection', own)
  }
  schedule(0, () => own.destroyed || runIn(process, take), process)
  const accept = () =>
    runIn(client.owner, () => {
      client.connected(own)
      client.emit('connect')
      client.emit('ready')
    })
  schedule(randomDelay(), () => client.destroyed || accept(), client.owner)
}

interface ListeningServer extends net.Server {
  virtualPort?: number
}

function listen(this: ListeningServer, ...given: unknown[]) {
  const [first, ...rest] = given as [Target | number, ...unknown[]]
  const wanted = Number(typeof first === 'object' ? first.port : first)
  const port = wanted || ++lastPort
  this.virtualPort = port
  listeners.set(port, { server: this, process: currentProcess() })
  Object.defineProperty(this, 'listening', { get: () => this.virtualPort !== undefined, configurable: true })
  const listener = rest.find((one) => typeof one === 'function') as (() => void) | undefined
  if (listener) this.once('listening', listener)
  schedule(0, () => this.emit('listening'))
  return this
}

function close(this: ListeningServer, done?: (error?: Error) => void) {
  if (this.virtualPort !== undefined) listeners.delete(this.virtualPort)
  delete this.virtualPort
  schedule(0, () => {
    done?.()
    this.emit('close')
  })
  return this
}

/** Ends all connections between processes that match, as a broken line does. */
export function cutConnections(isCut: (process: VirtualProcess | undefined) => boolean): void {
  for (const socket of [...sockets]) if (isCut(socket.owner)) socket.reset()
}

/** What the system does when a process is killed: nobody listens at its ports, and its connections are reset. */
export function disconnect(process: VirtualProcess): void {
  for (const [port, listener] of listeners) if (listener.process === process) listeners.delete(port)
  for (const socket of [...sockets]) {
    if (socket.owner !== process) continue
    const { peer } = socket
    if (peer) schedule(randomDelay(), () => peer.destroyed || peer.reset(), peer.owner)
    sockets.delete(socket)
  }
}

/** Returns a port at which each connection leads to one of these ports, as behind a load balancer. */
export function balance(ports: readonly number[]): number {
  const port = ++lastPort
  const server = new net.Server()
  server.on('connection', (front: VirtualSocket) => {
    const back = connect({ port: virtualRandom().pick(ports) })
    front.pipe(back).pipe(front)
    front.on('error', () => back.destroy()).on('close', () => back.destroy())
    back.on('error', () => front.destroy()).on('close', () => front.destroy())
  })
  listeners.set(port, { server, process: undefined })
  return port
}

Object.assign(net, { connect, createConnection: connect })
Object.assign(net.Server.prototype, { listen, close })
net.Server.prototype.address = function (this: ListeningServer) {
  return this.virtualPort === undefined ? null : { address: HOST, family: 'IPv4', port: this.virtualPort }
}
Object.assign(http.Agent.prototype, { createConnection: connect })
syncBuiltinESMExports()
