import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BareListening, BareResponse } from './bare-server.ts'
import { endWithThisProcess, type ServerProcess, stopProcess } from './server-process.ts'

/** The bare server, which sends one response to every request. */
export interface BareServer extends ServerProcess {
  setResponse(response: BareResponse): Promise<void>
}

export async function startBare(): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL('bare-server.ts', import.meta.url)))
  endWithThisProcess(child)
  const [{ port }] = (await once(child, 'message')) as [BareListening]
  return {
    pid: child.pid!,
    host: '127.0.0.1',
    port,
    async setResponse(response) {
      const changed = once(child, 'message')
      child.send(response)
      await changed
    },
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}
