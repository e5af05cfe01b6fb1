import { stripVTControlCharacters } from 'node:util'
import { type Environment, type Output, type OutputStream, paint } from './output.ts'
import { formatCount, printable } from './printable.ts'
import { cutTo } from './table.ts'

/** The shortest time between two drawings in milliseconds: drawing more often would flicker. */
const REDRAW_MS = 100
const CLEAR_LINE = '\r\u001b[K'
const BAR_WIDTH = 24

/** A line on the terminal that shows the progress of a long command. */
export interface Progress extends Disposable {
  /** Shows a text in place of the one before. */
  show(text: string): void
  /** Sets the total for `advance`, once it is known. */
  expect(total: number): void
  /** Counts one more, and shows a bar with `label` beside it. */
  advance(label: string): void
  /** Removes the line, so that other lines can be written. */
  clear(): void
  /** Lets `write` write to the same terminal without mixing with the line. */
  around(write: () => void): void
}

/** Creates a progress line. It is drawn only on a terminal that can redraw a line, and not beside data for programs. */
export function createProgress({
  stderr: stream,
  env,
  output: { isForPeople },
}: {
  stderr: OutputStream
  env: Environment
  output: Pick<Output, 'isForPeople'>
}): Progress {
  const isDrawn = isForPeople && stream.isTTY === true && env.TERM !== 'dumb'
  let done = 0
  let total: number | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  const put = (text: string) => {
    if (isDrawn && stream.writable) stream.write(text)
  }
  const draw = (makeLine: (width: number) => string) => {
    if (performance.now() - drawnAt < REDRAW_MS) return
    drawnAt = performance.now()
    put(CLEAR_LINE + makeLine((stream.columns ?? 80) - 1))
  }
  const clear = () => {
    put(CLEAR_LINE)
    drawnAt = Number.NEGATIVE_INFINITY
  }
  return {
    show: (text) => draw((width) => cutTo(printable(text), width)),
    expect(count) {
      total = count
    },
    advance(label) {
      done++
      draw((width) => {
        const counted = describeCount(done, total, (bar) => paint(stream, env, 'green', bar))
        const room = Math.max(0, width - stripVTControlCharacters(counted).length)
        return counted + cutTo(printable(label), room)
      })
    },
    clear,
    around(write) {
      clear()
      write()
    },
    [Symbol.dispose]: clear,
  }
}

function describeCount(done: number, total: number | undefined, paintBar: (bar: string) => string): string {
  if (total === undefined) return `${formatCount(done)}  `
  const full = Math.round(Math.min(done / Math.max(total, 1), 1) * BAR_WIDTH)
  const bar = paintBar('█'.repeat(full)) + '░'.repeat(BAR_WIDTH - full)
  return `${bar} ${formatCount(done)} of ${formatCount(Math.max(total, done))}  `
}
