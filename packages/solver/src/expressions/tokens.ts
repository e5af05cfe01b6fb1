import { ExpressionError, ExpressionLimit } from './expression-error.ts'

export type Token =
  | { kind: 'number'; value: number; isWhole: boolean }
  | { kind: 'text'; value: string }
  | { kind: 'name'; value: string }
  | { kind: 'sign'; value: string }
  | { kind: 'end' }

/** Alternative symbols and the operator that they stand for. */
const SAME: Readonly<Record<string, string>> = {
  '==': '=',
  '!=': '<>',
  '≠': '<>',
  '≤': '<=',
  '≥': '>=',
  '&&': 'and',
  '||': 'or',
  '∧': 'and',
  '∨': 'or',
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '∙': '*',
}

/** Words that are operators. */
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'xor', 'nand', 'nor', 'xnor', 'not', 'mod'])

/**
 * One token, or white space. Names are of letters, decimal digits, numerals that are letters (`Ⅷ`), `_` and digits below
 * the line (`x₁`). Digits above the line are no part of a name: `x²` is a name and a sign.
 */
const TOKEN =
  /(?<space>\s+)|(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<name>[\p{L}_][\p{L}\p{Nd}\p{Nl}_₀-₉]*)|(?<sign><>|<=|>=|==|!=|&&|\|\||[-+*/\\^%&=<>!~(){},;.²³√°≠≤≥∧∨×·÷−∙∞])/iuy

/**
 * Splits an expression into tokens. Fails: `ExpressionError` for characters of ASCII that no token has,
 * `ExpressionLimit` for others, of which no published page says whether they are signs of expressions.
 */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(text)?.groups
    if (!groups) throw createMistake(text.codePointAt(at) ?? 0)
    if (groups.space === undefined) tokens.push(toToken(groups))
  }
  tokens.push({ kind: 'end' })
  return tokens
}

function createMistake(codePoint: number): ExpressionError {
  const sign = JSON.stringify(String.fromCodePoint(codePoint))
  return codePoint < 0x80
    ? new ExpressionError(`Unexpected ${sign} in the expression`)
    : new ExpressionLimit(`What ${sign} means in an expression is not known`)
}

function toToken({ number, text, name, sign = '' }: Record<string, string | undefined>): Token {
  if (number !== undefined) return { kind: 'number', value: Number(number), isWhole: /^\d+$/.test(number) }
  if (text !== undefined) return { kind: 'text', value: text.slice(1, -1).replace(/\\(.)/g, readEscape) }
  if (name !== undefined) {
    const word = name.toLowerCase()
    return WORDS.has(word) ? { kind: 'sign', value: word } : { kind: 'name', value: name }
  }
  return { kind: 'sign', value: SAME[sign] ?? sign }
}

function readEscape(_: string, letter: string): string {
  if (letter === 'n') return '\n'
  return letter === 't' ? '\t' : letter
}
