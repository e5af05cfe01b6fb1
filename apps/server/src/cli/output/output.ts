import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { sentenceOf } from '../failure.ts'

/** A stream that a command writes to: one of the process, or of a test. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** Prints data to stdout, everything else to stderr. */
export interface Output {
  readonly json: boolean
  /** Prints the result of a command: one JSON document, or text for people. */
  data(value: object, asText: () => string): void
  /** Opens a result with a long or slow list, whose items are written as they arrive. */
  openList(name: string): DataList
  /** Prints a message for people; nothing with `--json`. */
  message(text: string): void
  /** Prints a message that is marked as a warning. */
  warning(text: string): void
  /** Prints why the command failed, and ends an open list. */
  failure(error: unknown): void
}

/** A list that `--json` prints as one object: the items under its name, one per line, then the members of the end. */
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
  const print = (text: string) => {
    if (!json) write(stderr, text)
  }
  /** Whether a list is open, whose object has to be closed. */
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
    message: print,
    warning: (text) => print(`${mark('!')} ${text}`),
    failure(error) {
      const sentence = sentenceOf(error)
      if (json && isListOpen) write(stdout, `],${JSON.stringify({ error: sentence }).slice(1)}`)
      isListOpen = false
      write(stderr, json ? JSON.stringify({ error: sentence }) : `${mark('Error:')} ${sentence}`)
    },
  }
}
