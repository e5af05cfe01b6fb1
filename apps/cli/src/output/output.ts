import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import type { Environment, GlobalOptions } from '../command-context.ts'
import { reportError, UsageFailure } from '../failure.ts'
import { filterJson } from './jq.ts'
import { formatCsv, formatTable, printable, printableLines, type Table } from './table.ts'

/** A stream that a command writes to: that of the process, or of a test. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** The result of a command, in the forms in which users can request it. */
export interface Answer {
  /** The result for `--json` and `--jq`. */
  json: object
  /** The result for `--csv`, and for people unless there is `text`. */
  table?: Table
  text?: () => string
}

type Style = Parameters<typeof styleText>[0]

/** Prints data to stdout, everything else to stderr. */
export interface Output {
  /** Whether the result is printed for people. */
  readonly isForPeople: boolean
  answer(answer: Answer): Promise<void>
  /** Prints data that are text already, such as CSV. */
  data(text: string): void
  /** Prints a message for people; nothing with `--json` and the like. */
  message(text: string): void
  warning(text: string): void
  /** Prints why the command failed. */
  failure(error: unknown): void
  /** Describes a request, with `--verbose`. */
  trace(text: string): void
  /** Marks a text for stdout if that is a terminal. */
  style(style: Style, text: string): string
}

type OutputOptions = Pick<GlobalOptions, 'json' | 'jq' | 'csv' | 'verbose'>

export function createOutput(
  { json, jq, csv, verbose }: OutputOptions,
  env: Environment,
  stdout: OutputStream,
  stderr: OutputStream,
): Output {
  const isJson = json === true || jq !== undefined
  const write = (stream: OutputStream, text: string) => {
    if (stream.writable) stream.write(text)
  }
  const say = (text: string) => {
    if (!isJson && !csv) write(stderr, `${text}\n`)
  }
  const mark = (style: Style, text: string) => paint(stderr, env, style, text)
  // A file or a program gets data as they are; a terminal would obey control characters in them.
  const data = (text: string) => write(stdout, stdout.isTTY ? printableLines(text) : text)

  return {
    isForPeople: !isJson && !csv,
    async answer({ json: value, table, text }) {
      if (jq !== undefined) {
        return data(await filterJson(JSON.stringify(value), jq, { indent: stdout.isTTY === true }))
      }
      if (isJson) return data(`${JSON.stringify(value, undefined, stdout.isTTY ? 2 : undefined)}\n`)
      if (csv && !table) throw new UsageFailure('This command has no table: use --json.')
      if (csv) return data(formatCsv(table!))
      write(stdout, `${text ? printableText(text()) : formatForPeople(table!, env, stdout)}\n`)
    },
    data,
    message: (text) => say(printable(text)),
    warning: (text) => say(`${mark('yellow', '!')} ${printable(text)}`),
    failure(error) {
      const report = reportError(error)
      const text = isJson ? JSON.stringify(report) : `${mark('red', 'Error:')} ${printable(report.error)}`
      write(stderr, `${text}\n`)
    },
    trace: (text) => {
      if (verbose) write(stderr, `${mark('dim', text)}\n`)
    },
    style: (style, text) => paint(stdout, env, style, text),
  }
}

function formatForPeople(table: Table, env: Environment, stdout: OutputStream): string {
  const [heading, ...lines] = formatTable(table, stdout.isTTY ? stdout.columns : undefined).split('\n')
  return [paint(stdout, env, 'bold', heading!), ...lines].join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what styles begin with.
const STYLES = /(\u001b\[\d{1,2}m)/

/** Makes a text safe for a terminal: only our own styles control it. */
const printableText = (text: string): string =>
  text
    .split(STYLES)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('')

/** Marks a text if the stream can show it. Source: no-color.org, which Node follows only for its own streams. */
function paint(stream: OutputStream, env: Environment, style: Style, text: string): string {
  const isPlain = !stream.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  return isPlain ? text : styleText(style, text, { validateStream: false })
}
