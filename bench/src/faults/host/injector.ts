import childProcess, { ChildProcess, type ForkOptions } from 'node:child_process'
import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import http, { type ClientRequest, type RequestOptions } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import sqlite from 'node:sqlite'
import pg from 'pg'
import type { Fault, FaultKind, SeamCall } from '../points.ts'

/*
 * Wraps what this process calls of Node and of PostgreSQL's driver: the database, files, child processes and outbound
 * HTTP. The calls are counted, and one of them fails. It has to be imported before the code under test.
 */

interface Call {
  label: string
  /** The kinds of faults that this call can have. */
  kinds: readonly FaultKind[]
}

let folder = ''
let fault: Fault | undefined
let isMet = false
let isRecording = false
let lastCallAt = 0
let counts = new Map<string, number>()
let calls: SeamCall[] = []

/** Counts calls from now on, those on files only below the folder, and lets the fault happen once. */
export function arm(below: string, next: Fault | undefined): void {
  folder = below
  fault = next
  isMet = false
  counts = new Map()
  calls = []
  isRecording = true
}

/** Ends what `arm` began. Returns what was called since then, and whether the fault happened. */
export function disarm(): { calls: SeamCall[]; isMet: boolean } {
  isRecording = false
  return { calls, isMet }
}

/** How long nothing was called, in milliseconds. */
export const quietMs = (): number => performance.now() - lastCallAt

/** What a process does without being asked: it comes at any time, and so is not counted. */
const BACKGROUND =
  /"(process|exclusive_task|service_clock|probe|probe_answer|rate_window|schema_version|failed_attempt|mail)"|^(listen|unlisten|select 1)\b|commit_counter|pg_current_snapshot|pg_notify|pg_stat|gin_clean|data_version|^pragma/i

const EFFECT: readonly FaultKind[] = ['error', 'lost', 'kill', 'killed after']

/** Counts a call, and returns the fault that it is to have. */
function meet({ label, kinds }: Call): FaultKind | undefined {
  lastCallAt = performance.now()
  if (!isRecording) return undefined
  const occurrence = (counts.get(label) ?? 0) + 1
  counts.set(label, occurrence)
  calls.push({ label, occurrence, kinds })
  if (isMet || fault?.label !== label || fault.occurrence !== occurrence) return undefined
  isMet = true
  return fault.kind
}

/** Ends this process as the system does that runs out of memory. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

function runSync<T>(call: Call, run: () => T, toError: () => Error): T {
  const kind = meet(call)
  if (kind === 'kill') die()
  if (kind === 'error') throw toError()
  const result = run()
  if (kind === 'killed after') die()
  if (kind === 'lost') throw toError()
  return result
}

async function run<T>(call: Call, work: () => Promise<T>, toError: () => Error): Promise<T> {
  const kind = meet(call)
  if (kind === 'kill') die()
  if (kind === 'error') throw toError()
  const result = await work()
  if (kind === 'killed after') die()
  if (kind === 'lost') throw toError()
  return result
}

/** Returns the beginning of a statement without its line breaks, and what may go wrong with it. */
function callOfSql(sql: string): Call | undefined {
  const text = sql.trim().replace(/\s+/g, ' ')
  if (BACKGROUND.test(text)) return undefined
  const isRead =
    /^(select|with|declare|fetch|close|set)\b/i.test(text) && !/\b(insert|update|delete)\b/i.test(text)
  const isEnd = /^(commit|rollback)\b/i.test(text)
  const kinds: readonly FaultKind[] = isRead ? ['error'] : isEnd ? EFFECT : ['error', 'kill']
  return { label: `sql ${text.slice(0, 90)}`, kinds }
}

function wrapSqlite(): void {
  const toError = () => Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
  const around = <T>(sql: string, work: () => T): T => {
    const call = callOfSql(sql)
    return call ? runSync(call, work, toError) : work()
  }
  const { StatementSync, DatabaseSync } = sqlite
  for (const name of ['run', 'all', 'get'] as const) {
    const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown
    StatementSync.prototype[name] = function (this: sqlite.StatementSync, ...values: unknown[]) {
      return around(this.sourceSQL, () => original.apply(this, values))
    } as never
  }
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    around(sql, () => exec.call(this, sql))
  }
}

function wrapPostgres(): void {
  type Query = (this: pg.Client, ...given: unknown[]) => Promise<unknown>
  const query = pg.Client.prototype.query as unknown as Query
  const wrapped: Query = function (...given) {
    const [config] = given as [string | { text?: string; submit?: unknown }]
    const text = typeof config === 'string' ? config : config.text
    const call = text === undefined || typeof given.at(-1) === 'function' ? undefined : callOfSql(text)
    if (!call) return query.apply(this, given)
    const cut = () =>
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    const toError = () => {
      cut()
      return new Error('Connection terminated unexpectedly')
    }
    return run(call, () => query.apply(this, given), toError)
  }
  pg.Client.prototype.query = wrapped as never
}

const paths = new WeakMap<FileHandle, string>()

const WRITES = [
  'rename',
  'rm',
  'unlink',
  'mkdir',
  'utimes',
  'writeFile',
  'copyFile',
  'link',
  'rmdir',
] as const
const READS = ['readFile', 'readdir', 'opendir', 'stat'] as const

const failFile = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5 })
const failWrite = () =>
  Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', errno: -28 })

/** Returns the call, unless the path is not below the folder, or is a file of the database. */
function callOfFile(name: string, path: unknown, kinds: readonly FaultKind[]): Call | undefined {
  if (!isRecording || typeof path !== 'string' || !path.startsWith(folder) || path.includes('meadow.sqlite'))
    return undefined
  const within = path
    .slice(folder.length)
    .replace(/[0-9a-f]{2}\/[0-9a-f]{64}|[0-9a-f-]{36}|\/[0-9a-f]{2}$/g, '#')
  return { label: `fs ${name} ${within}`, kinds }
}

function wrapFiles(): void {
  const promises = fs.promises as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
  for (const name of [...WRITES, ...READS]) {
    const original = promises[name]!
    const kinds = (WRITES as readonly string[]).includes(name) ? EFFECT : (['error'] as const)
    promises[name] = (...given) => {
      const call = callOfFile(name, given[0], kinds)
      return call ? run(call, () => original(...given), failFile) : original(...given)
    }
  }
  const openFile = promises.open!
  promises.open = async (...given) => {
    const call = callOfFile(
      `open ${given[1] ?? 'r'}`,
      given[0],
      given[1] === undefined ? ['error'] : ['error', 'kill'],
    )
    const handle = (await (call
      ? run(call, () => openFile(...given), failFile)
      : openFile(...given))) as FileHandle
    paths.set(handle, String(given[0]))
    return handle
  }
  const { openSync } = fs
  fs.openSync = (path, ...rest) => {
    const call = callOfFile('openSync', path, ['error'])
    return call ? runSync(call, () => openSync(path, ...rest), failFile) : openSync(path, ...rest)
  }
}

async function wrapFileHandles(): Promise<void> {
  await using sample = await open(process.execPath)
  const prototype = Object.getPrototypeOf(sample) as Record<string, (...given: unknown[]) => Promise<unknown>>
  for (const name of ['datasync', 'sync']) {
    const original = prototype[name]!
    prototype[name] = function (this: FileHandle, ...given: unknown[]) {
      const call = callOfFile(name, paths.get(this), ['error', 'kill'])
      return call ? run(call, () => original.apply(this, given), failFile) : original.apply(this, given)
    } as never
  }
  for (const name of ['write', 'writeFile']) {
    const original = prototype[name]!
    prototype[name] = async function (this: FileHandle, data: unknown, ...given: unknown[]) {
      const call = callOfFile(name, paths.get(this), ['error', 'kill', 'torn', 'torn and killed'])
      if (!call) return original.call(this, data, ...given)
      const kind = meet(call)
      if (kind === 'kill') die()
      if (kind === 'error') throw failWrite()
      if (kind === undefined) return original.call(this, data, ...given)
      const bytes = Buffer.from(data as Uint8Array)
      await original.call(this, bytes.subarray(0, bytes.length / 2))
      if (kind === 'torn') throw failWrite()
      return die()
    } as never
  }
}

function wrapChildren(): void {
  const { fork } = childProcess
  childProcess.fork = ((module: string | URL, args: string[], options: ForkOptions) => {
    const kind = meet({ label: 'child fork', kinds: ['error', 'kill', 'killed after'] })
    if (kind === 'kill') die()
    const child = fork(module, args, kind === 'error' ? { ...options, execPath: '/nowhere' } : options)
    if (kind === 'killed after') die()
    return child
  }) as typeof fork
  const { send, emit } = ChildProcess.prototype as unknown as { send: Sending; emit: Sending }
  type Sending = (this: ChildProcess, ...given: unknown[]) => boolean
  const wrapped: { send: Sending; emit: Sending } = {
    send(...given) {
      const kind = meet({ label: 'child send', kinds: EFFECT })
      if (kind === 'kill') die()
      if (kind === 'error') this.kill('SIGKILL')
      const result = send.apply(this, given)
      if (kind === 'lost') this.kill('SIGKILL')
      if (kind === 'killed after') die()
      return result
    },
    emit(...given) {
      if (given[0] !== 'message') return emit.apply(this, given)
      const kind = meet({ label: 'child message', kinds: ['error', 'kill'] })
      if (kind === 'kill') die()
      if (kind === undefined) return emit.apply(this, given)
      // What it has said is lost with it.
      return this.kill('SIGKILL')
    },
  }
  Object.assign(ChildProcess.prototype, wrapped)
}

function wrapHttp(): void {
  const { request } = http
  http.request = ((options: RequestOptions) => {
    const kind = meet({ label: 'http request', kinds: [...EFFECT, 'timeout'] })
    if (kind === 'kill') die()
    // Nothing listens there.
    const sending: ClientRequest = request(kind === 'error' ? { ...options, port: 1 } : options)
    const { emit } = sending
    sending.emit = ((name: string, ...given: unknown[]) => {
      if (name !== 'response' || kind === undefined) return emit.call(sending, name, ...given)
      if (kind === 'killed after') die()
      if (kind === 'lost')
        sending.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
      return true
    }) as typeof emit
    return sending
  }) as typeof request
}

wrapSqlite()
wrapPostgres()
wrapFiles()
await wrapFileHandles()
wrapChildren()
wrapHttp()
syncBuiltinESMExports()
