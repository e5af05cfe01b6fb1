import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { readCpuNs } from '../harness/process-figures.ts'
import { endWithThisProcess } from '../harness/processes.ts'

/** Counts the cost of processes during an action, in its unit. */
export interface Counter {
  readonly unit: 'instructions' | 'µs'
  count(pids: readonly number[], action: () => Promise<void>): Promise<number>
}

/**
 * Chooses a counter: of instructions, which other work on the machine hardly changes, where perf can count them;
 * otherwise of processor time.
 */
export const chooseCounter = (): Counter =>
  canPerfCount('instructions:u')
    ? { unit: 'instructions', count: (pids, action) => countWithPerf('instructions:u', pids, action) }
    : { unit: 'µs', count: countCpuTime }

async function countCpuTime(pids: readonly number[], action: () => Promise<void>): Promise<number> {
  const before = pids.map(readCpuNs)
  await action()
  const costs = pids.map((pid, index) => Math.max(0, readCpuNs(pid) - before[index]!))
  return costs.reduce((sum, cost) => sum + cost, 0) / 1000
}

/** Whether perf can count an event. Virtual machines often hide the processor's counters. */
export function canPerfCount(event: string): boolean {
  const { stderr } = spawnSync('perf', ['stat', '-x,', '-e', event, 'true'], { encoding: 'utf8' })
  return readCount(stderr ?? '') !== undefined
}

/** Counts an event of processes and of the threads that they start during an action. */
export async function countWithPerf(
  event: string,
  pids: readonly number[],
  action: () => Promise<void>,
): Promise<number> {
  // Counting is disabled until perf has attached itself and gets the command `enable`.
  const args = ['stat', '-x,', '-e', event, '-p', pids.join(), '-D', '-1', '--control=fd:3,4']
  const perf = spawn('perf', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  endWithThisProcess(perf)
  const [output, control, acknowledged] = [
    perf.stdio[2],
    perf.stdio[3] as Writable,
    perf.stdio[4] as Readable,
  ]
  const read = output!.toArray()
  const tell = async (command: string) => {
    control.write(`${command}\n`)
    await once(acknowledged, 'data')
  }
  await tell('enable')
  await action()
  await tell('disable')
  perf.kill('SIGINT')
  const text = (await read).join('')
  const counted = readCount(text)
  if (counted === undefined) throw new Error(`perf did not count ${event}: ${text}`)
  return counted
}

/** Reads the count in a line such as `1234,,instructions:u,…`; undefined for `<not supported>`. */
function readCount(output: string): number | undefined {
  const found = /^([\d.]+),[^,]*,[\w-]+/m.exec(output)?.[1]
  return found === undefined ? undefined : Number(found)
}
