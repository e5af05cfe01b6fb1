import type { BareResponse } from './bare-server.ts'
import { type ServerProcess, startHelper } from './processes.ts'

/** The bare server, which sends one response to every request. */
export interface BareServer extends ServerProcess {
  setResponse(response: BareResponse): Promise<void>
}

export async function startBare(): Promise<BareServer> {
  const helper = startHelper(new URL('bare-server.ts', import.meta.url))
  return {
    pid: helper.pid,
    host: '127.0.0.1',
    port: await helper.run<number>('listen'),
    setResponse: (response) => helper.run(response),
    [Symbol.asyncDispose]: helper[Symbol.asyncDispose],
  }
}
