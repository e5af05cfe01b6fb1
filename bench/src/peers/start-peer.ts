import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithThisProcess, type ServerProcess, stopProcess } from '../harness/processes.ts'
import { type HttpRequest, sendRequest } from '../harness/request.ts'

const MAX_START_MS = 60_000

/** Starts a peer and waits until it answers `probe` with 200. */
export async function startPeer(
  command: string,
  args: string[],
  options: SpawnOptions & { port: number; probe: HttpRequest },
): Promise<ServerProcess> {
  const { port, probe, ...spawning } = options
  const child = spawn(command, args, { ...spawning, stdio: 'ignore' })
  endWithThisProcess(child)
  const address = { host: '127.0.0.1', port }
  const deadline = performance.now() + MAX_START_MS
  for (;;) {
    const status = await sendRequest(address, probe).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === 200) break
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${[command, ...args].join(' ')} did not start.`)
    await sleep(100)
  }
  return { pid: child.pid!, ...address, [Symbol.asyncDispose]: () => stopProcess(child) }
}

/** Runs a command of a peer to its end. */
export async function runPeer(command: string, args: string[], options: SpawnOptions): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: 'ignore' })
  endWithThisProcess(child)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}.`)
}
