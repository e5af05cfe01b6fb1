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
 * Creates a hook for pino's `logMethod`: a line whose `err` says that the database is unavailable gets the reason
 * instead of a stack, and is left out when the same was logged a moment ago.
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

export interface LogOptions {
  /** Turns lines of JSON into others. */
  format?: ((line: string) => string) | undefined
}

/** Creates a buffered log, which is flushed when the process ends. */
export function createLog(level: LogLevel, { format }: LogOptions = {}): Log {
  const destination = pino.destination({ dest: 2, sync: true })
  // The lines are joined here, since the destination would count the bytes of each line, which costs as much as making
  // it.
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
    const text = format ? format(line) : line
    if (lines.length + text.length > FLUSH_AT_LENGTH) flush()
    lines += text
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

/** Returns where the lines of a log go, whatever its level: each is JSON and ends with a line feed. */
export const streamOf = (log: Log) => log[pino.symbols.streamSym as never] as { write(line: string): void }
