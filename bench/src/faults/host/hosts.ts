import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostCalls, HostRequest } from './host-calls.ts'

/** A process that runs servers and commands, and that may die. */
export interface Host {
  /** Rejects with a {@link HostDiedError} when the process ends. */
  readonly call: HostCalls
  readonly isAlive: boolean
  /** Rejects with a {@link HostDiedError} when the process ends before the promise is settled. */
  whileAlive<T>(promise: Promise<T>): Promise<T>
  /** Promises that were rejected where nobody waited for them. */
  readonly unhandled: string[]
  /** Ends the process without a warning. */
  kill(): Promise<void>
}

export class HostDiedError extends Error {
  override readonly name = 'HostDiedError'
}

const PROGRAM = fileURLToPath(new URL('./host.ts', import.meta.url))

/** Keeps one process ready while another one is used, since a process takes half a second to start. */
export interface Hosts extends AsyncDisposable {
  /** Returns the process that was used last, if it lives, and otherwise a new one. */
  get(): Promise<Host>
}

export function openHosts(): Hosts {
  let current = startHost()
  let spare = startHost()
  return {
    async get() {
      if ((await current).isAlive) return current
      current = spare
      spare = startHost()
      return current
    },
    async [Symbol.asyncDispose]() {
      for (const host of await Promise.all([current, spare])) await host.kill()
    },
  }
}

async function startHost(): Promise<Host> {
  const child = fork(PROGRAM, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const unhandled: string[] = []
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let ids = 0
  child.on(
    'message',
    ({ id, result, error, fault }: { id?: number; result?: unknown; error?: string; fault?: string }) => {
      if (fault !== undefined) unhandled.push(fault)
      if (id === undefined) return
      const one = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) one?.resolve(result)
      else one?.reject(new Error(error))
    },
  )
  const died = Promise.withResolvers<never>()
  died.promise.catch(() => {})
  child.once('exit', () => {
    died.reject(new HostDiedError('The process has ended.'))
    for (const { reject } of waiting.values()) reject(new HostDiedError('The process has ended.'))
    waiting.clear()
  })
  const expect = (id: number) => {
    const one = Promise.withResolvers<unknown>()
    waiting.set(id, one)
    return one.promise
  }
  await expect(0)
  const call =
    (name: keyof HostCalls) =>
    (...given: unknown[]) => {
      if (!isAlive(child)) return Promise.reject(new HostDiedError('The process has ended.'))
      const id = ++ids
      child.send({ id, name, given } satisfies HostRequest, () => {})
      return expect(id)
    }
  const names = ['start', 'stop', 'command', 'arm', 'disarm', 'quiet'] as const
  return {
    call: Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as HostCalls,
    unhandled,
    whileAlive: (promise) => Promise.race([promise, died.promise]),
    get isAlive() {
      return isAlive(child)
    },
    async kill() {
      if (!isAlive(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null
