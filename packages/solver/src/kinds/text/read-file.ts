import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'

/** The class of Read File. */
export const READ_FILE = '6587fcbf-e3cf-480a-b2f5-641794474194'

const LINE_END = /\r\n|\r|\n/g

/** Counts the lines of a text; a line end at its end begins none. Source: .NET's `StreamReader.ReadLine`. */
export function countLines(text: string): number {
  let [ends, rest] = [0, 0]
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    ends++
    rest = index + end.length
  }
  return rest < text.length ? ends + 1 : ends
}

export const READ_FILES: readonly Kind[] = [
  defineKind({
    guid: READ_FILE,
    description: 'Reads the lines of a text file that is in the folder of the document, or the whole text.',
    options: { perLineParse: 'boolean' },
    solve([path], context) {
      const text = context.readFile(path)
      if (text === undefined) return []
      const isWhole = findOption<boolean>(context.node, 'perLineParse', 'boolean') === false
      if (isWhole) return [[text]]
      const count = countLines(text)
      context.reserve(count)
      return [text.split(LINE_END, count)]
    },
  }),
]
