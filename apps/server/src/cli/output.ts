import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { sentenceOf } from './failure.ts'

/** Where a command writes to: the streams of the process, or a test's. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** Data go to stdout, everything else to stderr. */
export interface Output {
  readonly json: boolean
  /** The answer of a command: one JSON document, or the text made for people. */
  data(value: object, asText: () => string): void
  /** One of many answers, as a line of JSON; nothing for people. */
  dataLine(value: object): void
  /** Says something to the person who watches; nothing with `--json`. */
  message(text: string): void
  /** Like a message, and marked as trouble. */
  warning(text: string): void
  /** Tells why the command failed. */
  failure(error: unknown): void
}

export function createOutput(json: boolean, stdout: OutputStream, stderr: OutputStream): Output {
  const write = (stream: OutputStream, text: string) => {
    if (stream.writable) stream.write(`${text}\n`)
  }
  const mark = (text: string) => styleText('red', text, { stream: stderr })
  const say = (text: string) => {
    if (!json) write(stderr, text)
  }
  return {
    json,
    data: (value, asText) => write(stdout, json ? JSON.stringify(value) : asText()),
    dataLine(value) {
      if (json) write(stdout, JSON.stringify(value))
    },
    message: say,
    warning: (text) => say(`${mark('!')} ${text}`),
    failure(error) {
      const sentence = sentenceOf(error)
      write(stderr, json ? JSON.stringify({ error: sentence }) : `${mark('Error:')} ${sentence}`)
    },
  }
}
