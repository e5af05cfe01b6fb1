import { stripVTControlCharacters, styleText } from 'node:util'
import { formatCount, printable } from './format.ts'
import type { OutputStream } from './output.ts'

const BAR_WIDTH = 24
/** Drawing more often would flicker and cost more than the work. */
const REDRAW_MS = 100
const CLEAR_LINE = '\r\u001b[K'

/** How far a long command is, on one line that is drawn again and again. */
export interface Progress extends Disposable {
  /** How much there is to do in all, once that is known. */
  expect(total: number): void
  /** One more is done; `label` is shown beside the bar. */
  advance(label: string): void
  /** Lets `write` write to the same terminal without mixing with the line. */
  around(write: () => void): void
}

/** Draws on a terminal, and nothing anywhere else. */
export function createProgress(stream: OutputStream, shown: boolean): Progress {
  let done = 0
  let total: number | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  const put = (text: string) => {
    if (shown && stream.writable) stream.write(text)
  }
  return {
    expect(count) {
      total = count
    },
    advance(label) {
      done++
      if (performance.now() - drawnAt < REDRAW_MS) return
      drawnAt = performance.now()
      put(CLEAR_LINE + formatLine(done, total, label, stream))
    },
    around(write) {
      put(CLEAR_LINE)
      write()
      drawnAt = Number.NEGATIVE_INFINITY
    },
    [Symbol.dispose]: () => put(CLEAR_LINE),
  }
}

/** Whether a line can be drawn again and again there. */
export const canDraw = (stream: OutputStream, term: string | undefined): boolean =>
  stream.isTTY === true && term !== 'dumb'

function formatLine(done: number, total: number | undefined, label: string, stream: OutputStream): string {
  const share = total === undefined ? undefined : Math.min(done / Math.max(total, 1), 1)
  const bar = share === undefined ? '' : `${drawBar(share, stream)} `
  const text = `${bar}${formatCount(done)}${total === undefined ? '' : ` of ${formatCount(Math.max(total, done))}`}  `
  const room = (stream.columns ?? 80) - stripVTControlCharacters(text).length - 1
  return text + [...printable(label)].slice(0, Math.max(room, 0)).join('')
}

function drawBar(share: number, stream: OutputStream): string {
  const full = Math.round(share * BAR_WIDTH)
  return (
    styleText('green', '█'.repeat(full), { stream: stream as NodeJS.WritableStream }) +
    '░'.repeat(BAR_WIDTH - full)
  )
}
