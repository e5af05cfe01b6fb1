import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { clearStatus, readStatus, type Verdict } from './job-status.ts'

/** The limits of one job. The memory of the process itself, with its libraries, does not count. */
export interface JobLimits {
  /** The CPU time of all its threads, in milliseconds, which does not depend on how busy the machine is. */
  cpuMs: number
  /** The JavaScript heap, in megabytes. */
  heapMb: number
  /** Buffers, WebAssembly and other memory, in megabytes, in addition to 1.5 times `heapMb` and to `retainedMb`. */
  otherMb?: number
  /** A process that retains more memory than this after a job is ended, in megabytes. */
  retainedMb?: number
}

export interface JobProcessOptions {
  /** The module of the job, which exports `createJob` as `JobModule` of `./child` says. */
  module: URL
  /** The setup for `createJob`: plain JSON without secrets, because every user of the machine can read it. */
  setup?: object | undefined
  limits: JobLimits
  /** The environment of the process, which gets nothing from the environment of this one. */
  env?: Readonly<Record<string, string>>
  /** The files and folders that the process may read, which must include its code. `*` allows everything. */
  readable: readonly string[]
  /** The folders that the process may read and write. */
  writable?: readonly string[]
  /**
   * The folder for compiled code of the process. It must not be that of this process: only children may run what a
   * child writes.
   */
  compileCache?: string
  /** Returns the secrets of a job. It is called before each job. */
  getSecrets?: (() => Promise<unknown>) | undefined
}

type LimitKind = Verdict | 'hung'
/**
 * Why a job failed. `memory`, `time` and `hung`: the parent ended the process at a limit. `crashed`: the process ended
 * by itself. `killed`: somebody else ended it, such as the system when its memory is used up, so that the job may
 * succeed another time. `threw`: the job threw an error.
 */
export type JobFailureKind = LimitKind | 'crashed' | 'killed' | 'threw'

/** Details of a failed job. */
interface FailureDetails {
  /** The last step that the job noted; empty when it noted nothing. */
  step: string
  /** The real time for which the job ran, in milliseconds. */
  durationMs: number
  /** The CPU time that the job had taken at the last check of the watchdog, at most 20 ms before its end. */
  cpuMs: number
  /** How the process ended, and the beginning of its standard error, for the log. */
  detail: string
  /** The code of the error that the job threw. */
  code?: unknown
}

/**
 * The error of a failed job, whose process was ended. The message is a sentence, or that of the error that the job
 * threw.
 */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly kind: JobFailureKind
  readonly place: string
  readonly durationMs: number
  readonly cpuMs: number
  readonly detail: string
  readonly code?: unknown

  constructor(
    kind: JobFailureKind,
    message: string,
    { step, durationMs, cpuMs, detail, code }: FailureDetails,
  ) {
    super(message)
    this.kind = kind
    this.place = step
    this.durationMs = durationMs
    this.cpuMs = cpuMs
    this.detail = detail
    if (code !== undefined) this.code = code
  }
}

/** Whether the error, or one of its causes, says that a process was killed from outside: the job may succeed another time. */
export function isKilled(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof JobFailure && one.kind === 'killed') return true
  return false
}

/** Called with each report of a job, in order, before its result. */
// biome-ignore lint/suspicious/noExplicitAny: each module knows its own.
export type OnReport = (report: any) => void

/** A process that runs one job at a time. */
export interface JobProcess {
  /** False when the process has ended, for whatever reason. */
  readonly isAlive: boolean
  /** Whether the process has much more memory than it started with. */
  readonly isLarge: boolean
  readonly pid: number | undefined
  /**
   * Rejects with a {@link JobFailure} when the job threw, exceeded a limit, or its process died, and with the signal's
   * reason. In each case the process has ended.
   */
  run(request: unknown, signal: AbortSignal, onReport?: OnReport): Promise<unknown>
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

/** The only argument of a child, as JSON. */
export interface ChildSetup {
  /** The address of the module. */
  module: string
  setup: unknown
  limits: { cpuMs: number; residentMb: number; retainedMb: number }
}

export interface ParentMessage<Request> {
  request: Request
  secrets: unknown
}

export type ChildMessage<Result> =
  | { ready: { baseBytes: number } }
  | { report: unknown }
  | { response: Result; grownBytes: number; isSpent: boolean }
  | { error: { message: string; code?: unknown; isMemory: boolean } }

/** The heap that the libraries of a child take; measured: 20 MB for the solver and others. */
const LIBRARY_HEAP_MB = 32
/**
 * The heap, in megabytes, up to which V8 does not begin to mark what is alive. A document of 2 MB makes 55 MB of
 * objects, for which V8 would otherwise mark the whole heap in each job: a third of the job's processor time.
 */
const EARLY_HEAP_MB = 128
/** The size of half the new generation, in megabytes, which makes up for the heap that is marked later. */
const YOUNG_MB = 16
/** The memory for the new generation, compiled code, and rhino3dm before its first object. Measured: 130 MB. */
const DEFAULT_OTHER_MB = 192
/**
 * Returns the memory that a process may retain, in megabytes. Compiled code, rhino3dm and a grown heap stay: a new
 * process for each document would take a second each.
 */
const retainedOf = (heapMb: number) => 192 + Math.ceil(heapMb / 3)

/** A job that does not use its CPU time gets this many times as long in real time, and at least a minute. */
const WALL_FACTOR = 10
const MIN_WALL_MS = 60_000
/** The time in which a process must start, in milliseconds. Loading takes a second, and longer on a busy machine. */
const START_MS = 120_000

/** A usual document leaves less memory than this in a process. */
const LARGE_BYTES = 192 * 2 ** 20

const CHECK_EVERY_MS = 200
const STDERR_CHARACTERS = 4000

const PROGRAM = new URL('./job.worker.ts', import.meta.url)

/** Starts a process, which takes half a second. `run` waits for it. */
export function startJobProcess({
  module,
  setup,
  limits,
  env = {},
  readable,
  writable = [],
  compileCache,
  getSecrets = async () => undefined,
}: JobProcessOptions): JobProcess {
  const { cpuMs, heapMb, otherMb = DEFAULT_OTHER_MB, retainedMb = retainedOf(heapMb) } = limits
  // Memory that an earlier job has left does not count for the next one.
  const residentMb = Math.ceil(1.5 * heapMb) + otherMb + retainedMb
  const statusFd = openStatusFile()
  if (compileCache !== undefined) makeCacheFolder(compileCache)
  const childSetup: ChildSetup = {
    module: module.href,
    setup,
    limits: { cpuMs, residentMb, retainedMb },
  }
  const child = fork(PROGRAM, [JSON.stringify(childSetup)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', statusFd],
    // The child gets nothing of the parent's environment: no address of a database, no secret.
    env: { ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }), ...env },
    cwd: parse(process.execPath).root,
    // The child is in a group of its own, which Ctrl-C in a terminal does not reach. On Windows this would open a
    // window.
    detached: process.platform !== 'win32',
    execArgv: [
      `--max-old-space-size=${heapMb + LIBRARY_HEAP_MB}`,
      `--initial-old-space-size=${Math.min(heapMb, EARLY_HEAP_MB)}`,
      `--max-semi-space-size=${YOUNG_MB}`,
      '--expose-gc',
      ...permissions(readable, compileCache === undefined ? writable : [compileCache, ...writable]),
    ],
  })
  yieldToParent(child.pid)
  const stderr = takeBeginning(child)
  let isAlive = true
  let isLarge = false
  let exceeded: LimitKind | undefined
  let spawnError = ''
  let step = ''
  let usedMs = 0
  let verdict: Verdict | undefined
  child.once('exit', () => {
    isAlive = false
  })
  const ended = new Promise<void>((resolve) => {
    // `close` is emitted when all output has arrived.
    child.once('close', resolve)
    child.on('error', (error) => {
      isAlive = false
      spawnError = error.message
      if (child.pid === undefined) resolve()
    })
  }).then(() => {
    ;({ step, verdict, cpuMs: usedMs } = readStatus(statusFd))
    closeSync(statusFd)
  })
  const kill = (kind?: LimitKind) => {
    exceeded ??= kind
    isAlive = false
    child.kill('SIGKILL')
  }
  const ready = nextMessage(START_MS) as Promise<{ ready: { baseBytes: number } }>
  // The rejection is handled by `run`.
  ready.catch(() => {})

  /** Resolves with the next message of the child that is not a report. Rejects when the child ends before that. */
  async function nextMessage(wallMs: number, onReport?: OnReport): Promise<ChildMessage<unknown>> {
    let take = (_: ChildMessage<unknown>) => {}
    const next = new Promise<ChildMessage<unknown>>((resolve) => {
      take = (message) => ('report' in message ? onReport?.(message.report) : resolve(message))
    })
    child.on('message', take)
    const late = setTimeout(() => kill('hung'), wallMs)
    try {
      return await Promise.race([next, ended.then(() => Promise.reject(describeEnd(wallMs)))])
    } finally {
      clearTimeout(late)
      child.off('message', take)
    }
  }

  let startedAt = performance.now()

  function describeEnd(wallMs: number): JobFailure {
    const output = `${spawnError} ${stderr()}`.replaceAll(/\s+/g, ' ').trim()
    const ending = FROM_OUTSIDE.has(child.signalCode ?? '') ? 'killed' : 'crashed'
    const kind = verdict ?? exceeded ?? (isHeapExhausted(output) ? 'memory' : ending)
    const how = child.signalCode ? `signal ${child.signalCode}` : `code ${child.exitCode}`
    return fail(kind, `${how} ${output}`.trim(), wallMs)
  }

  function fail(kind: LimitKind | 'crashed' | 'killed', detail: string, wallMs = 0): JobFailure {
    const sentence = {
      memory: `It took more than ${heapMb} MB of memory.`,
      time: `It took longer than ${cpuMs / 1000} s.`,
      hung: `It did not end within ${wallMs / 1000} s.`,
      crashed: 'Its process ended unexpectedly.',
      killed: 'Its process was ended from outside, as by a system whose memory is used up.',
    }[kind]
    const durationMs = performance.now() - startedAt
    return new JobFailure(kind, sentence, { step, durationMs, cpuMs: usedMs, detail })
  }

  /** Enforces the same limits as the child's own watchdog, by the system's figures, in case the watchdog fails. */
  function watch(baseBytes: number): Disposable {
    if (process.platform !== 'linux') return { [Symbol.dispose]() {} }
    const first = readUsage(child.pid!)
    const check = async () => {
      const [before, now] = await Promise.all([first, readUsage(child.pid!)])
      if (!before || !now) return
      if (now.residentBytes > baseBytes + residentMb * 2 ** 20) kill('memory')
      // The figures of the system have a resolution of 10 ms.
      else if (now.cpuMs - before.cpuMs > cpuMs + 100) kill('time')
    }
    const timer = setInterval(check, CHECK_EVERY_MS)
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
    async run(request, signal, onReport) {
      const stop = () => kill()
      signal.addEventListener('abort', stop)
      try {
        signal.throwIfAborted()
        const [
          {
            ready: { baseBytes },
          },
          secrets,
        ] = await Promise.all([ready, getSecrets()])
        clearStatus(statusFd)
        startedAt = performance.now()
        using _ = watch(baseBytes)
        const reply = nextMessage(Math.max(MIN_WALL_MS, WALL_FACTOR * cpuMs), onReport)
        child.send({ request, secrets } satisfies ParentMessage<unknown>, () => {})
        const message = await reply
        if ('response' in message) {
          isLarge = message.grownBytes > LARGE_BYTES
          if (message.isSpent) kill()
          return message.response
        }
        const durationMs = performance.now() - startedAt
        const {
          message: detail,
          code,
          isMemory,
        } = (message as Extract<typeof message, { error: object }>).error
        await ended
        if (isMemory) throw fail('memory', detail)
        throw new JobFailure('threw', detail, { step, durationMs, cpuMs: usedMs, detail, code })
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

/**
 * The niceness of a child, with which it gets less than half of the server's weight in Linux. With a higher value,
 * normal solves would starve in an attack.
 */
const NICENESS = 4

/** Gives the server priority for CPU time, and lets the system kill it last when it runs out of memory. */
function yieldToParent(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // The process has ended, or the system does not allow this, which does no harm.
  }
  if (process.platform === 'linux') writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => {})
}

/** The signals that a process does not get by its own faults. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])

/**
 * Whether V8 has reported that the heap is exhausted before it ended the process. Exit code and signal differ between
 * systems.
 */
const isHeapExhausted = (stderr: string): boolean =>
  /heap out of memory|Allocation failed|OutOfMemory/i.test(stderr)

/**
 * Creates the folder for compiled code. A child may write to it only if it exists when the child starts. Where it
 * cannot be created, nothing is cached.
 */
function makeCacheFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch {
    // The sources are read-only, so each child compiles them again.
  }
}

/** Opens a status file. The file is unlinked while it is open in both processes, so that it never remains. */
function openStatusFile(): number {
  const path = join(tmpdir(), `meadow-job-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  rmSync(path)
  clearStatus(fd)
  return fd
}

/**
 * Returns the options of Node's permission model, as defence in depth: code that escapes from its job can read the
 * program, write to the folders, and cannot start processes. Before Node 22.13 the permission model is an experiment,
 * and is left off.
 */
function permissions(readable: readonly string[], writable: readonly string[]): string[] {
  if (!process.allowedNodeEnvironmentFlags.has('--permission')) return []
  return [
    // Threads are allowed on purpose: the watchdog is one.
    '--disable-warning=SecurityWarning',
    '--permission',
    '--allow-worker',
    ...[...readable, ...writable].map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ]
}

/** Keeps the beginning of standard error: V8 prints a long stack when a process dies. */
function takeBeginning(child: ChildProcess): () => string {
  let text = ''
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < STDERR_CHARACTERS) text += chunk.slice(0, STDERR_CHARACTERS - text.length)
  })
  return () => text
}

/** Reads the memory and CPU time of a process from `/proc` on Linux; undefined when the process has ended. */
export async function readUsage(pid: number): Promise<{ residentBytes: number; cpuMs: number } | undefined> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    const residentKb = Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1])
    // The fields begin after the name, which may contain anything. The times are fields 14 and 15, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { residentBytes: residentKb * 1024, cpuMs: 10 * (Number(fields[11]) + Number(fields[12])) }
  } catch {
    return undefined
  }
}
