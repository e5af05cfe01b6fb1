import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

/** The figures of a source file, which are counted in its syntax. */
export interface CodeFigures {
  /** Functions, methods and arrow functions of more than {@link LONG_FUNCTION} lines, with their place. */
  longFunctions: string[]
  /** Assertions `x!` that something is neither null nor undefined. */
  nonNull: number
}

export const LONG_FUNCTION = 60

export function countCode(file: string): CodeFigures {
  const text = readFileSync(file, 'utf8')
  const { program } = parseSync(file, text)
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const figures: CodeFigures = { longFunctions: [], nonNull: 0 }
  const onFunction = ({ start, end }: { start: number; end: number }) => {
    const [first, last] = [lineOf(start), lineOf(end)]
    if (last - first + 1 > LONG_FUNCTION) figures.longFunctions.push(`${file}:${first} (${last - first + 1})`)
  }
  new Visitor({
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    TSNonNullExpression: () => void figures.nonNull++,
  }).visit(program)
  return figures
}
