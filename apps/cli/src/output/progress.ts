import type { Environment } from '../command-context.ts'
import type { OutputStream } from './output.ts'
import { cutTo, printable } from './table.ts'

/** The shortest time between two drawings in milliseconds: drawing more often would flicker. */
const REDRAW_MS = 100
const CLEAR_LINE = '\r\u001b[K'

/** A line on the terminal that shows the progress of a long command. */
export interface Progress extends Disposable {
  show(text: string): void
  /** Removes the line, so that other lines can be written. */
  clear(): void
}

/** Creates a progress line. It is drawn only on a terminal that can redraw a line, and not beside data for programs. */
export function createProgress(stream: OutputStream, env: Environment, isForPeople: boolean): Progress {
  const isDrawn = isForPeople && stream.isTTY === true && env.TERM !== 'dumb'
  let drawnAt = Number.NEGATIVE_INFINITY
  const put = (text: string) => {
    if (isDrawn && stream.writable) stream.write(text)
  }
  const clear = () => {
    put(CLEAR_LINE)
    drawnAt = Number.NEGATIVE_INFINITY
  }
  return {
    show(text) {
      if (performance.now() - drawnAt < REDRAW_MS) return
      drawnAt = performance.now()
      put(CLEAR_LINE + cutTo(printable(text), (stream.columns ?? 80) - 1))
    },
    clear,
    [Symbol.dispose]: clear,
  }
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats a size, such as `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`
}
