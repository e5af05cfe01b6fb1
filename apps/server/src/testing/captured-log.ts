import pino from 'pino'
import { createOutageHook, type Log } from '../platform/log.ts'

/** A line of the log. */
export interface LogLine {
  level: string
  msg: string
  [fact: string]: unknown
}

/** A log of this level and above, and what it has written so far. */
export function createCapturedLog(level: 'info' | 'error' = 'info'): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const log = pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: createOutageHook() },
    },
    { write: (line) => lines.push(JSON.parse(line)) },
  )
  return { log, lines }
}
