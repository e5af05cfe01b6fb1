import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { type ErrorReport, UsageFailure } from './failure.ts'
import { printable, printableLines } from './printable.ts'
import type { Table } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A stream that a command writes to: one of the process, or of a test. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** How a result is shown to people, and for `--csv`: as a text, or as a table, which is printed unless there is a text. */
export type Shown = (() => string) | { table?: Table; text?: () => string }

type Style = Parameters<typeof styleText>[0]

/** Prints data to stdout, everything else to stderr. */
export interface Output {
  /** Whether the result is printed for people. */
  readonly isForPeople: boolean
  /** Prints the result of a command: one JSON value, or what is shown to people. A text is written at once. */
  data(value: object, shown: Shown): Promise<void>
  /** Prints data that are text already, such as CSV. */
  write(text: string): void
  /** Opens a result with a long or slow list, whose items are written as they arrive. */
  openList(name: string): DataList
  /** Prints a message for people; nothing with `--json` and the like. */
  message(text: string): void
  /** Prints a message that is marked as a warning. */
  warning(text: string): void
  /** Prints why the command failed, and ends an open list. */
  failure(error: unknown): void
  /** Describes a step of the work, with `--verbose`. */
  trace(text: string): void
  /** Marks a text for stdout if that is a terminal. */
  style(style: Style, text: string): string
}

/** A list that `--json` prints as one object: the items under its name, one per line, then the members of the end. */
export interface DataList {
  add(item: object): void
  /** `rest` has members. */
  end(rest: object, asText: () => string): void
}

/** The forms in which a program prints, as its options say. */
export interface Formats {
  readonly isJson: boolean
  readonly isCsv?: boolean | undefined
  readonly isVerbose?: boolean | undefined
  /** Whether results fit a terminal: JSON is indented, and tables are cut to its width, under a bold heading. */
  readonly isFitted?: boolean
  /** Returns what is printed in place of the JSON. */
  readonly filter?: ((json: string, options: { indent: boolean }) => Promise<string>) | undefined
}

/** What an output is made of. */
export interface OutputParts extends Formats {
  readonly env: Environment
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  report(error: unknown): ErrorReport
  /** Makes the sentence about an error safe for a terminal. */
  escape(sentence: string): string
  /** Runs work that may take long without a pause. */
  run<T>(work: () => T): Promise<T>
}

export function createOutput(parts: OutputParts): Output {
  const { isJson, isCsv, isVerbose, filter, env, stdout, stderr } = parts
  const isForPeople = !isJson && !isCsv
  const isFitted = parts.isFitted === true && stdout.isTTY === true
  const put = (stream: OutputStream, text: string) => {
    if (stream.writable) stream.write(text)
  }
  const say = (text: string) => {
    if (isForPeople) put(stderr, `${text}\n`)
  }
  const mark = (style: Style, text: string) => paint(stderr, env, style, text)
  // A file or a program gets data as they are; a terminal would obey control characters in them.
  const write = (text: string) => put(stdout, stdout.isTTY ? printableLines(text) : text)
  const print = (text: () => string) => put(stdout, `${printableText(text())}\n`)
  const writeList = createListWriter(isJson, (text) => put(stdout, `${text}\n`), print)

  return {
    isForPeople,
    async data(value, shown) {
      const { table, text } = typeof shown === 'function' ? { text: shown } : shown
      if (filter) return write(await filter(JSON.stringify(value), { indent: isFitted }))
      if (isJson) return write(`${JSON.stringify(value, undefined, isFitted ? 2 : undefined)}\n`)
      if (isCsv && !table) throw new UsageFailure('This command has no table: use --json.')
      if (text && !isCsv) return print(text)
      const { formatCsv, formatTable } = await import('./table.ts')
      if (isCsv) return write(await parts.run(() => formatCsv(table!)))
      const lines = await parts.run(() => formatTable(table!, isFitted ? stdout.columns : undefined))
      const embolden = (heading: string) => (isFitted ? paint(stdout, env, 'bold', heading) : heading)
      put(stdout, `${lines.replace(/^.*/, embolden)}\n`)
    },
    write,
    openList: writeList.open,
    message: (text) => say(printable(text)),
    warning: (text) => say(`${mark('yellow', '!')} ${printable(text)}`),
    failure(error) {
      const report = parts.report(error)
      writeList.fail(report)
      const text = isJson ? JSON.stringify(report) : `${mark('red', 'Error:')} ${parts.escape(report.error)}`
      put(stderr, `${text}\n`)
    },
    trace: (text) => {
      if (isVerbose) put(stderr, `${mark('dim', text)}\n`)
    },
    style: (style, text) => paint(stdout, env, style, text),
  }
}

function createListWriter(
  isJson: boolean,
  putLine: (text: string) => void,
  print: (text: () => string) => void,
) {
  /** Whether a list is open, whose object has to be closed. */
  let isOpen = false
  return {
    open(name: string): DataList {
      let count = 0
      return {
        add(item) {
          const before = count++ === 0 ? `{${JSON.stringify(name)}:[` : ','
          if (isJson) putLine(before + JSON.stringify(item))
          isOpen = true
        },
        end(rest, asText) {
          const before = count === 0 ? `{${JSON.stringify(name)}:[],` : '],'
          isOpen = false
          if (isJson) putLine(before + JSON.stringify(rest).slice(1))
          else print(asText)
        },
      }
    },
    fail(report: ErrorReport): void {
      if (isJson && isOpen) putLine(`],${JSON.stringify(report).slice(1)}`)
      isOpen = false
    },
  }
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
export function paint(stream: OutputStream, env: Environment, style: Style, text: string): string {
  const isPlain = !stream.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  return isPlain ? text : styleText(style, text, { validateStream: false })
}
