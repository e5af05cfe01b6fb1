import pino from 'pino'

/** Structured lines on standard error. What callers hand in holds no token, query text or document content. */
export type Log = pino.Logger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Lines are written together, so that a busy server does not spend its time on small writes; but soon. */
const FLUSH_AFTER_MS = 100
const FLUSH_AT_BYTES = 8 * 1024

/** A log that writes what it has soon, and the rest when the process ends. */
export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: true, minLength: FLUSH_AT_BYTES })
  setInterval(() => destination.flush(), FLUSH_AFTER_MS).unref()
  process.once('exit', () => destination.flushSync())
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}
