import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clearStatus, readStatus, type Verdict } from './job-status.ts'

/** What one job may take. What the process takes by itself, with its libraries, does not count. */
export interface JobLimits {
  /** Processor time of all its threads, in milliseconds. A busy machine takes longer, and fails no good job. */
  cpuMs: number
  /** JavaScript values, in megabytes. */
  heapMb: number
  /** Buffers, WebAssembly and all else, in megabytes, on top of one and a half times `heapMb` and of `keptMb`. */
  otherMb?: number
  /** A process that has more than this left after a job is ended, in megabytes. */
  keptMb?: number
}

export interface JobProcessOptions {
  /** The file that calls `serveJobs`. */
  script: URL
  /** What it reads as `jobSetup`: plain JSON, and no secret. */
  setup: object
  limits: JobLimits
  /** The only folder that it may write to, beside its cache of compiled code. */
  folder?: string | undefined
}

type LimitKind = Verdict | 'hung'
export type JobFailureKind = LimitKind | 'crashed' | 'threw'

/** What is known of a job that cost its process. */
interface FailureFacts {
  /** What the job noted last; empty when it noted nothing. */
  place: string
  /** How long it ran, by the clock. */
  durationMs: number
  /** How the process ended, and the beginning of what it wrote to standard error: for the log. */
  detail: string
  /** That of the error that the job threw. */
  code?: unknown
}

/** A job that cost its process. The message is a sentence, or what the job threw. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly kind: JobFailureKind
  readonly place: string
  readonly durationMs: number
  readonly detail: string
  readonly code?: unknown

  constructor(kind: JobFailureKind, message: string, { place, durationMs, detail, code }: FailureFacts) {
    super(message)
    this.kind = kind
    this.place = place
    this.durationMs = durationMs
    this.detail = detail
    if (code !== undefined) this.code = code
  }
}

/** A process that does one job at a time. */
export interface JobProcess {
  /** False when it was ended, by whatever. */
  readonly isAlive: boolean
  /** Whether it holds much more memory than it began with. */
  readonly isLarge: boolean
  readonly pid: number | undefined
  /**
   * Rejects with a {@link JobFailure} when the job threw, took more than it may, or its process died, and with the
   * signal's reason. In each case the process is gone.
   */
  run(request: unknown, signal: AbortSignal): Promise<unknown>
  /** Resolves when it is gone. */
  end(): Promise<void>
}

/** The only argument of a child, as JSON. */
export interface ChildSetup {
  // biome-ignore lint/suspicious/noExplicitAny: each script knows its own.
  setup: any
  limits: { cpuMs: number; residentMb: number; keptMb: number }
}

export interface ParentMessage<Request> {
  request: Request
}

export type ChildMessage<Answer> =
  | { ready: { baseBytes: number } }
  | { answer: Answer; grownBytes: number; isSpent: boolean }
  | { error: { message: string; code?: unknown; isMemory: boolean } }

/** What the libraries of a child take of the heap; measured: 20 MB for the solver and its neighbours. */
const LIBRARY_HEAP_MB = 32
/** The new generation, compiled code, the memory of rhino3dm before its first object. Measured: 130 MB. */
const DEFAULT_OTHER_MB = 192
/** Warm code, rhino3dm and a heap that has grown stay: a process for each document would cost a second each. */
const keptOf = (heapMb: number) => 192 + Math.ceil(heapMb / 3)

/** A job that does not use its processor time gets this many times as long by the clock, and a minute at least. */
const WALL_FACTOR = 10
const MIN_WALL_MS = 60_000
/** Loading takes a second; on a machine that is busy it takes longer. */
const START_MS = 120_000

/** A usual document leaves less than this in a process, as memory for the next one. */
const LARGE_BYTES = 192 * 2 ** 20

const WATCH_EVERY_MS = 200
const STDERR_CHARACTERS = 4000

const SOURCES = new URL('../../../../../', import.meta.url)
const CODE_FOLDERS = ['apps/', 'packages/', 'node_modules/', 'package.json']
/** Not the server's own: what a child writes is run by children only. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled-jobs', import.meta.url))

/** Starts a process. It takes half a second until it can do its first job, for which `run` waits. */
export function startJobProcess({ script, setup, limits, folder }: JobProcessOptions): JobProcess {
  const { cpuMs, heapMb, otherMb = DEFAULT_OTHER_MB, keptMb = keptOf(heapMb) } = limits
  // What an earlier job left is not the next one's doing.
  const residentMb = Math.ceil(1.5 * heapMb) + otherMb + keptMb
  const statusFd = openStatusFile()
  makeCacheFolder()
  const given: ChildSetup = { setup, limits: { cpuMs, residentMb, keptMb } }
  const child = fork(script, [JSON.stringify(given)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', statusFd],
    // Nothing of ours: no address of a database, no secret.
    env: { NODE_COMPILE_CACHE: COMPILED },
    cwd: parse(process.execPath).root,
    execArgv: [`--max-old-space-size=${heapMb + LIBRARY_HEAP_MB}`, '--expose-gc', ...permissions(folder)],
  })
  yieldToServer(child.pid)
  const stderr = keepBeginning(child)
  let isAlive = true
  let isLarge = false
  let doom: LimitKind | undefined
  let spawnFault = ''
  let place = ''
  let verdict: Verdict | undefined
  child.once('exit', () => {
    isAlive = false
  })
  const ended = new Promise<void>((resolve) => {
    // All of its output is here by then.
    child.once('close', resolve)
    child.on('error', (error) => {
      isAlive = false
      spawnFault = error.message
      if (child.pid === undefined) resolve()
    })
  }).then(() => {
    ;({ place, verdict } = readStatus(statusFd))
    closeSync(statusFd)
  })
  const kill = (kind?: LimitKind) => {
    doom ??= kind
    isAlive = false
    child.kill('SIGKILL')
  }
  const ready = nextMessage(START_MS) as Promise<{ ready: { baseBytes: number } }>
  // Whoever runs a job is told.
  ready.catch(() => {})

  /** What the child says next. Rejects when it ends before. */
  async function nextMessage(wallMs: number): Promise<ChildMessage<unknown>> {
    const settled = new AbortController()
    const late = setTimeout(() => kill('hung'), wallMs)
    try {
      const [message] = await Promise.race([
        once(child, 'message', settled),
        ended.then(() => Promise.reject(describeEnd(wallMs))),
      ])
      return message
    } finally {
      clearTimeout(late)
      settled.abort()
    }
  }

  let startedAt = performance.now()

  function describeEnd(wallMs: number): JobFailure {
    const said = `${spawnFault} ${stderr()}`.replaceAll(/\s+/g, ' ').trim()
    const kind = verdict ?? doom ?? (isHeapExhausted(said) ? 'memory' : 'crashed')
    const how = child.signalCode ? `signal ${child.signalCode}` : `code ${child.exitCode}`
    return fail(kind, `${how} ${said}`.trim(), wallMs)
  }

  function fail(kind: LimitKind | 'crashed', detail: string, wallMs = 0): JobFailure {
    const sentence = {
      memory: `It took more than ${heapMb} MB of memory.`,
      time: `It took longer than ${cpuMs / 1000} s.`,
      hung: `It did not end within ${wallMs / 1000} s.`,
      crashed: 'Its process ended unexpectedly.',
    }[kind]
    return new JobFailure(kind, sentence, { place, durationMs: performance.now() - startedAt, detail })
  }

  /** The same limits as the child's own watchdog, by what the system tells of it, should that one fail. */
  function watch(baseBytes: number): Disposable {
    if (process.platform !== 'linux') return { [Symbol.dispose]() {} }
    const first = readUsage(child.pid!)
    const look = async () => {
      const [before, now] = await Promise.all([first, readUsage(child.pid!)])
      if (!before || !now) return
      if (now.residentBytes > baseBytes + residentMb * 2 ** 20) kill('memory')
      // Ticks of 10 ms.
      else if (now.cpuMs - before.cpuMs > cpuMs + 100) kill('time')
    }
    const timer = setInterval(look, WATCH_EVERY_MS)
    return { [Symbol.dispose]: () => clearInterval(timer) }
  }

  return {
    get isAlive() {
      return isAlive
    },
    get isLarge() {
      return isLarge
    },
    pid: child.pid,
    async run(request, signal) {
      const stop = () => kill()
      signal.addEventListener('abort', stop)
      try {
        signal.throwIfAborted()
        const { baseBytes } = (await ready).ready
        clearStatus(statusFd)
        startedAt = performance.now()
        using _ = watch(baseBytes)
        const answered = nextMessage(Math.max(MIN_WALL_MS, WALL_FACTOR * cpuMs))
        child.send({ request } satisfies ParentMessage<unknown>, () => {})
        const message = await answered
        if ('answer' in message) {
          isLarge = message.grownBytes > LARGE_BYTES
          if (message.isSpent) kill()
          return message.answer
        }
        const durationMs = performance.now() - startedAt
        const {
          message: detail,
          code,
          isMemory,
        } = (message as Extract<typeof message, { error: object }>).error
        await ended
        if (isMemory) throw fail('memory', detail)
        throw new JobFailure('threw', detail, { place, durationMs, detail, code })
      } catch (error) {
        kill()
        await ended
        throw signal.aborted ? signal.reason : error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    async end() {
      kill()
      await ended
    },
  }
}

/** Less than half of the server's weight for the scheduler of Linux. With more, a good solve would starve beside an attack. */
const NICENESS = 4

/** The server, which answers everybody, comes first: for the processors, and when the system runs out of memory. */
function yieldToServer(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It has ended, or the system does not allow it. Nothing depends on it.
  }
  if (process.platform === 'linux') writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => {})
}

/** V8 says so before it ends the process; there is no code or signal that says it everywhere. */
const isHeapExhausted = (stderr: string): boolean =>
  /heap out of memory|Allocation failed|OutOfMemory/i.test(stderr)

/** A child may write to it only when it is there as the child starts. Where it cannot be made, nothing is cached. */
function makeCacheFolder(): void {
  try {
    mkdirSync(COMPILED, { recursive: true })
  } catch {
    // The sources are read-only: each child compiles them anew.
  }
}

/** It has no name any more once both have it, so that nothing is left of it, however they end. */
function openStatusFile(): number {
  const path = join(tmpdir(), `meadow-job-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  rmSync(path)
  clearStatus(fd)
  return fd
}

/** A defence in depth: code that gets out of its job can read our code, and start nothing. */
function permissions(folder: string | undefined): string[] {
  const readable = CODE_FOLDERS.map((name) => fileURLToPath(new URL(name, SOURCES)))
  const writable = [COMPILED, ...(folder === undefined ? [] : [folder])]
  return [
    // That threads may be started is what we want: the watchdog is one.
    '--disable-warning=SecurityWarning',
    '--permission',
    '--allow-worker',
    ...[...readable, ...writable].map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ]
}

/** Of a dying process, V8 prints the stack, which is no line of our log. */
function keepBeginning(child: ChildProcess): () => string {
  let text = ''
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < STDERR_CHARACTERS) text += piece.slice(0, STDERR_CHARACTERS - text.length)
  })
  return () => text
}

/** As Linux tells it in `/proc`; undefined when the process is gone. */
export async function readUsage(pid: number): Promise<{ residentBytes: number; cpuMs: number } | undefined> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    const residentKb = Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1])
    // What comes after the name, which may hold anything; the times are the 14th and 15th field, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { residentBytes: residentKb * 1024, cpuMs: 10 * (Number(fields[11]) + Number(fields[12])) }
  } catch {
    return undefined
  }
}
