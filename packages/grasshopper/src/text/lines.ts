import { Fault, GrasshopperError, locate } from '../archive/tree/grasshopper-error.ts'

export interface Line {
  /** From 1. */
  readonly number: number
  /** Steps of two spaces. */
  readonly depth: number
  /** Without the indentation. */
  readonly text: string
}

const CONFLICT = /^(?:<{7} |={7}$|>{7} |\|{7} )/

/** The lines of a text one after the other, without empty ones and comments. Fails: `GrasshopperError` with the line. */
export class LineReader {
  readonly #text: string
  #at = 0
  #number = 0
  #next: Line | undefined

  constructor(text: string) {
    this.#text = text
    this.advance()
  }

  /** The line that is read next; undefined at the end. */
  get next(): Line | undefined {
    return this.#next
  }

  /** Goes on to the following line, and returns the one that was next. */
  advance(): Line | undefined {
    const current = this.#next
    this.#next = undefined
    while (this.#at < this.#text.length && !this.#next) this.#next = this.#readLine()
    return current
  }

  /** The following lines at this depth that start with a mark: those of a block. */
  takeBlock(depth: number, mark: ':' | '|'): string[] {
    const lines: string[] = []
    while (this.#next?.depth === depth && this.#next.text.startsWith(mark)) lines.push(this.advance()!.text)
    return lines
  }

  #readLine(): Line | undefined {
    const end = this.#text.indexOf('\n', this.#at)
    const whole = this.#text.slice(this.#at, end === -1 ? this.#text.length : end)
    this.#at = end === -1 ? this.#text.length : end + 1
    this.#number += 1
    // Git and editors on Windows may end the lines so.
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    if (CONFLICT.test(line))
      throw failAt(this.#number, 'A merge left a conflict here: choose one side, and remove the marks')
    let spaces = 0
    while (line[spaces] === ' ') spaces++
    if (spaces === line.length || line[spaces] === '#') return undefined
    if (line[spaces] === '\t')
      throw failAt(this.#number, 'A tab indents this line: use two spaces for each step')
    if (spaces % 2 === 1)
      throw failAt(this.#number, `${spaces} spaces indent this line: use two for each step`)
    return { number: this.#number, depth: spaces / 2, text: line.slice(spaces) }
  }
}

export const failAt = (line: number, what: string): GrasshopperError =>
  new GrasshopperError('malformed', what, `line ${line}`)

/** Runs a step that belongs to a line: what fails in it fails at that line. */
export function atLine<T>(line: Line, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof Fault ? locate(error, `line ${line.number}`) : error
  }
}
