import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { sentenceOf } from '../failure.ts'

/** Where a command writes to: the streams of the process, or a test's. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** Data go to stdout, everything else to stderr. */
export interface Output {
  readonly json: boolean
  /** The answer of a command: one JSON document, or the text made for people. */
  data(value: object, asText: () => string): void
  /** An answer with a list that is long or takes long: its items are written as they come. */
  openList(name: string): DataList
  /** Says something to the person who watches; nothing with `--json`. */
  message(text: string): void
  /** Like a message, and marked as trouble. */
  warning(text: string): void
  /** Tells why the command failed, and ends the list that was begun. */
  failure(error: unknown): void
}

/** With `--json` one object: the list under its name, an item a line, then what is said at the end. */
export interface DataList {
  add(item: object): void
  /** `rest` has members. */
  end(rest: object, asText: () => string): void
}

export function createOutput(json: boolean, stdout: OutputStream, stderr: OutputStream): Output {
  const write = (stream: OutputStream, text: string) => {
    if (stream.writable) stream.write(`${text}\n`)
  }
  const mark = (text: string) => styleText('red', text, { stream: stderr })
  const say = (text: string) => {
    if (!json) write(stderr, text)
  }
  /** Whether the list of an answer was begun, and its object is to be closed. */
  let isListOpen = false
  return {
    json,
    data: (value, asText) => write(stdout, json ? JSON.stringify(value) : asText()),
    openList(name) {
      let count = 0
      return {
        add(item) {
          const before = count++ === 0 ? `{${JSON.stringify(name)}:[` : ','
          if (json) write(stdout, before + JSON.stringify(item))
          isListOpen = true
        },
        end(rest, asText) {
          const before = count === 0 ? `{${JSON.stringify(name)}:[],` : '],'
          isListOpen = false
          write(stdout, json ? before + JSON.stringify(rest).slice(1) : asText())
        },
      }
    },
    message: say,
    warning: (text) => say(`${mark('!')} ${text}`),
    failure(error) {
      const sentence = sentenceOf(error)
      if (json && isListOpen) write(stdout, `],${JSON.stringify({ error: sentence }).slice(1)}`)
      isListOpen = false
      write(stderr, json ? JSON.stringify({ error: sentence }) : `${mark('Error:')} ${sentence}`)
    },
  }
}
