import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, JobParts } from '../job-child.ts'

/** What a test can request of the process. */
export type HostileRequest =
  | { do: 'echo'; bytes: Uint8Array }
  | { do: 'takeMemory'; by: MemoryTaker }
  | { do: 'loop' | 'count' | 'hide' | 'throw' | 'die' | 'lookAround' }
  | { do: 'sleep'; ms: number }
  | { do: 'note'; times: number }
  | { do: 'keep' | 'litter'; megabytes: number }

export type MemoryTaker = keyof typeof TAKERS

/** Node's types know neither its arguments nor its members. */
const Memory = WebAssembly.Memory as unknown as new (
  limits: object,
) => { readonly buffer: ArrayBuffer; grow(pages: number): number }

/** Ways to take all memory there is. */
const TAKERS = {
  'one list': () => new Array(2 ** 27).fill(0.5),
  'many values': () => {
    const values: object[] = []
    for (;;) values.push({ value: values.length })
  },
  'texts that double': () => {
    const texts = ['0123456789']
    for (;;) texts.push(JSON.parse(JSON.stringify(texts.at(-1)! + texts.at(-1)!)))
  },
  buffers: () => {
    const buffers: Uint8Array[] = []
    for (;;) buffers.push(new Uint8Array(2 ** 20).fill(1))
  },
  'a buffer that is too large': () => new ArrayBuffer(2 ** 52),
  WebAssembly: () => {
    const memory = new Memory({ initial: 1, maximum: 65_536 })
    for (;;) {
      const pages = memory.grow(64)
      new Uint8Array(memory.buffer, pages * 65_536).fill(1)
    }
  },
}

/** Memory that is never released. */
const retained: unknown[] = []
let jobs = 0

export const createJob =
  ({ setup }: JobParts): Job<HostileRequest, unknown> =>
  async (request, progress) => {
    jobs++
    switch (request.do) {
      case 'echo':
        return { jobs, pid: process.pid, bytes: request.bytes }
      case 'takeMemory':
        progress.note(`taking memory by ${request.by}`)
        return TAKERS[request.by]()
      case 'loop':
        progress.note('in a loop')
        for (;;);
      case 'count':
        for (let i = 0; ; i++) progress.note(`at ${i % 1_000_000 === 0 ? i : 'the next'}`)
      case 'sleep':
        progress.note('asleep')
        return sleep(request.ms, { pid: process.pid })
      case 'note': {
        const start = process.cpuUsage()
        for (let i = 0; i < request.times; i++) progress.note(`at node ${i}`)
        const { user, system } = process.cpuUsage(start)
        return { cpuMs: (user + system) / 1000 }
      }
      case 'keep':
        retained.push(new Uint8Array(request.megabytes * 2 ** 20).fill(1))
        return { pid: process.pid }
      case 'litter': {
        const littered = []
        for (let i = 0; i < request.megabytes; i++) littered.push(new Array(2 ** 17).fill(0.5))
        return { pid: process.pid, megabytes: littered.length }
      }
      case 'hide':
        // As if it were forged by code that got out of its job.
        process.removeAllListeners('disconnect')
        progress.note('hiding')
        for (;;);
      case 'throw':
        throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
      case 'die':
        progress.note('about to die')
        process.stderr.write(`${'at secret (file.js)\n'.repeat(1000)}`)
        return process.abort()
      case 'lookAround':
        return {
          // biome-ignore lint/style/noProcessEnv: a test looks at what it holds.
          environment: Object.keys(process.env),
          folder: process.cwd(),
          cache: getCompileCacheDir(),
          reads: attempt(() => readFileSync(setup.secretFile)),
          writes: attempt(() => writeFileSync(`${setup.secretFile}.new`, 'x')),
          starts: attempt(() => spawn(process.execPath)),
        }
    }
  }

function attempt(work: () => unknown): string {
  try {
    work()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed'
  }
}
