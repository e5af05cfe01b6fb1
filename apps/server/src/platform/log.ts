import pino from 'pino'
import { findUnavailable } from './database/unavailable.ts'

/** A structured log on standard error. Callers must not log tokens, query texts or document contents. */
export type Log = pino.Logger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Lines are written together after a short time, so that a busy server does not spend its time on small writes. */
const FLUSH_AFTER_MS = 100
const FLUSH_AT_LENGTH = 64 * 1024

/** Failures caused by an outage of the database are logged at most this often. */
const REPEAT_AFTER_MS = 60_000

/**
 * For pino's `logMethod`: a line whose `err` says that the database is unavailable has the reason instead of a stack, and
 * is left out when the same was logged a moment ago.
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

/** A buffered log, which is flushed when the process ends. `format` turns its lines of JSON into others. */
export function createLog(level: LogLevel, format?: (line: string) => string): Log {
  const destination = pino.destination({ dest: 2, sync: true })
  // Joined here: the destination would count the bytes of each line, which costs as much as making it.
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
    lines += format ? format(line) : line
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

/** Logs answered requests as `Log.info` does, at a fraction of the cost: the common part of lines is serialised once. */
export interface RequestLog {
  /** `common` is the same object each time, and contains only values that JSON keeps. */
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
