import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A server in a separate process, stopped by disposal. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number
  readonly host: string
  readonly port: number
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Kills the child when this process exits. */
export function endWithThisProcess(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
