import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'

export const count = (value: number) => Math.round(value).toLocaleString('en')
export const milliseconds = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
export const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? '?' : (bytes / 2 ** 20).toFixed(0)
export const verdict = (ratio: number, aim: number | undefined) =>
  `${ratio.toFixed(2)}${aim === undefined ? '' : ratio >= aim ? ` ✓ ${aim}` : ` ✗ ${aim}`}`

/** Formats a Markdown table with padded columns, and numbers aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]!.length)),
  )
  const isNumber = head.map((_title, column) => rows.every((row) => /^[\d,.?]*( |$)/.test(row[column]!)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column]!, isNumber[column]!)).join(' | ')} |`
  const rule = widths.map((width, column) => `${'-'.repeat(width - 1)}${isNumber[column] ? ':' : '-'}`)
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const pad = (text: string, width: number, isRight: boolean) =>
  isRight ? text.padStart(width) : text.padEnd(width)

/** Returns the sign for an aim that was reached or not. */
export const mark = (isReached: boolean): string => (isReached ? '✓' : '✗')

/** Formats an aim with the sign that tells whether it was reached. */
export const aimed = (aim: number | string, isReached: boolean): string => `${aim} ${mark(isReached)}`

/** The machine and the versions that figures depend on. */
export interface Machine {
  /** The commit of the project, with a plus for uncommitted changes. */
  commit: string
  node: string
  processor: string
  cores: number
  memoryGb: number
  system: string
  takenAt: string
}

export function describeMachine(): Machine {
  const processors = cpus()
  return {
    commit: commit(),
    node: process.version,
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    takenAt: new Date().toISOString(),
  }
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '')
  } catch {
    return 'unknown'
  }
}

export const printMachine = ({ commit, node, processor, cores, memoryGb, system }: Machine): string =>
  `Commit ${commit}, Node ${node}, ${cores} × ${processor}, ${memoryGb} GB, ${system}`
