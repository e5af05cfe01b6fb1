import pino from 'pino'
import { findUnavailable } from './database/unavailable.ts'

/** Structured lines on standard error. What callers hand in holds no token, query text or document content. */
export type Log = pino.Logger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Lines are written together, so that a busy server does not spend its time on small writes; but soon. */
const FLUSH_AFTER_MS = 100
const FLUSH_AT_LENGTH = 64 * 1024

/** What an outage of the database makes fail says so this often at most, however often it is tried. */
const REPEAT_AFTER_MS = 60_000

/**
 * For pino's `logMethod`: a line whose `err` is that the database is unavailable has the reason in place of a stack,
 * and is left out when the same was said a moment ago.
 */
export function createOutageHook(now: () => number = performance.now.bind(performance)): LogHook {
  const saidAt = new Map<string, number>()
  return function (this: Log, args, write) {
    const [facts, message] = args as [unknown, string?]
    const unavailable = findUnavailable((facts as { err?: unknown } | undefined)?.err)
    if (!unavailable || message === undefined) return write.apply(this, args)
    if (now() - (saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return
    saidAt.set(message, now())
    write.call(this, { ...(facts as object), err: undefined, reason: unavailable.message }, message)
  }
}

type LogHook = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>

/** A log that writes what it has soon, and the rest when the process ends. */
export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: true })
  // Joined here: the destination counts every line's bytes, which costs as much as making the line.
  let lines = ''
  const flush = () => {
    if (lines === '') return
    const all = lines
    lines = ''
    destination.write(all)
  }
  setInterval(flush, FLUSH_AFTER_MS).unref()
  process.once('exit', () => {
    flush()
    destination.flushSync()
  })
  const write = (line: string) => {
    lines += line
    if (lines.length >= FLUSH_AT_LENGTH) flush()
  }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: createOutageHook() },
    },
    { write },
  )
}

/** Logs answered requests as `Log.info` does at a fraction of the cost: what lines have in common is made once. */
export interface RequestLog {
  /** `common` is the same object each time, and holds nothing that JSON does not keep. */
  line(requestId: string, status: number, durationMs: number, common: object): void
}

export function createRequestLog(log: Log): RequestLog {
  const ends = new WeakMap<object, string>()
  const stream = log[pino.symbols.streamSym as never] as { write(line: string): void }
  let now = 0
  let time = ''
  return {
    line(requestId, status, durationMs, common) {
      if (!log.isLevelEnabled('info')) return
      let end = ends.get(common)
      if (end === undefined) {
        end = `${JSON.stringify({ ...common, msg: 'request' }).slice(1)}\n`
        ends.set(common, end)
      }
      const ms = Date.now()
      if (ms !== now) {
        now = ms
        time = new Date(ms).toISOString()
      }
      const duration = Math.round(durationMs * 100) / 100
      stream.write(
        `{"level":"info","time":"${time}","requestId":"${requestId}","status":${status},"durationMs":${duration},${end}`,
      )
    },
  }
}
