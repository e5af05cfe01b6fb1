import { checkpoint } from '@meadow/geometry/budget/budget'
import { RE2JS, RE2JSException } from 're2js'

const MAX_EXPRESSION = 1000
/** The largest product of instructions and characters, which takes about a fifth of a second. */
const MAX_STEPS = 2 ** 28
/** The engine takes about as many instructions in the time of one step of the budget. */
const STEPS_PER_CHECK = 64

/**
 * Whether a part of a text matches a regular expression of .NET, in time proportional to both lengths. Undefined where
 * the answer of .NET is not certain: for syntax that RE2 lacks or understands differently (rule I-9).
 */
export function matchesExpression(
  text: string,
  expression: string,
  isCaseSensitive: boolean,
): boolean | undefined {
  if (expression === '') return true
  if (expression.length > MAX_EXPRESSION || differsFromNet(text, expression, isCaseSensitive))
    return undefined
  const compiled = compile(expression, isCaseSensitive)
  const steps = (compiled?.programSize() ?? 0) * text.length
  if (!compiled || steps > MAX_STEPS) return undefined
  checkpoint(1 + steps / STEPS_PER_CHECK)
  return compiled.test(text)
}

function compile(expression: string, isCaseSensitive: boolean): RE2JS | undefined {
  try {
    return RE2JS.compile(expression, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    if (error instanceof RE2JSException) return undefined
    throw error
  }
}

/**
 * Escapes with another meaning or none in .NET: octal numbers and back-references, literal text, single bytes, braces
 * after \x, categories of Unicode, an escaped underscore.
 */
const OTHER_ESCAPE = /\\(?:[0-9QECpP_]|x\{)/
/** Groups and flags with another meaning or none: `(?P<name>`, `(?U)`. */
const OTHER_GROUP = /\(\?(?:P|[a-z-]*U)/
/** Sets with another meaning or none in .NET: `[a-z-[b]]`, which subtracts, `[[:alpha:]]` and `[\w-z]`. */
const OTHER_SET = /-\[|\[:|\\[dswDSW]-[^\]]/
/** Classes that hold more than ASCII in .NET. */
const UNICODE_CLASS = /\\[dswbDSWB]/
const SURROGATE = /[\ud800-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
const NOT_ASCII = /[^\x00-\x7f]/

/** Whether RE2 and .NET may disagree about a text. Source: the documentation of both syntaxes. */
function differsFromNet(text: string, expression: string, isCaseSensitive: boolean): boolean {
  if ([OTHER_ESCAPE, OTHER_GROUP, OTHER_SET].some((other) => other.test(expression))) return true
  if (SURROGATE.test(text) || SURROGATE.test(expression)) return true
  const hasMoreThanAscii = NOT_ASCII.test(text) || NOT_ASCII.test(expression)
  const ignoresCase = !isCaseSensitive || /\(\?[a-z]*i/.test(expression)
  if (hasMoreThanAscii && (ignoresCase || UNICODE_CLASS.test(expression))) return true
  // In .NET, \s holds a vertical tab, and $ is also before a line feed at the end.
  return (/\\s/i.test(expression) && text.includes('\v')) || (expression.includes('$') && text.endsWith('\n'))
}
