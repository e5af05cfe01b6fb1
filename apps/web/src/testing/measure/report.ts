import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../../../../docs/web-performance.md', import.meta.url))

/** A figure with its aim, as a row of the table. */
export interface Row {
  /** The page or document. */
  of: string
  what: string
  values: readonly number[]
  unit: string
  /** The value has to be at most this, or at least if `isFloor`. */
  aim?: number
  isFloor?: boolean
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const format = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })

/** The rows as a Markdown table: medians, and the range of repeated measurements in parentheses. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ of, what, values, unit, aim, isFloor = false }) => {
    const median = medianOf(values)
    const range =
      values.length > 1 ? ` (${format(Math.min(...values))} to ${format(Math.max(...values))})` : ''
    const isMet = aim === undefined || (isFloor ? median >= aim : median <= aim)
    const goal = aim === undefined ? '' : `${isMet ? '✓' : '✗'} ${isFloor ? '≥' : '≤'} ${format(aim)} ${unit}`
    return `| ${of} | ${what} | ${format(median)} ${unit}${range} | ${goal} |`
  })
  return ['| Of | What | Median (range) | Aim |', '| --- | --- | ---: | --- |', ...lines].join('\n')
}

/** The machine, the day and the code that the figures are of. */
export function describeRun(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname })
  const day = new Date().toLocaleDateString('en-GB', { dateStyle: 'long' })
  const processors = `${cpus().length} × ${cpus()[0]!.model.trim()}`
  return (
    `Commit ${String(commit).trim()}, Node ${process.versions.node}, ${processors}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release().split('.', 2).join('.')}, ${day}, ` +
    `load of the machine ${loadavg()[0]!.toFixed(1)} at the end. No graphics card: everything is drawn in software.`
  )
}

const [START, END] = ['<!-- figures: npm run measure:web -- --markdown -->', '<!-- end of the figures -->']

/** Replaces the figures of docs/web-performance.md. */
export function writePage(figures: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, after] = [page.indexOf(START) + START.length, page.indexOf(END)]
  writeFileSync(PAGE, `${page.slice(0, before)}\n\n${figures}\n\n${page.slice(after)}`)
}
