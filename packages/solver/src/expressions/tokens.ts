import { ExpressionError } from './expression-error.ts'

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

const TOKEN =
  /(?<space>\s+)|(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign><>|<=|>=|==|!=|&&|\|\||[-+*/\\^%&=<>!~(){},;.²³√π°ϕ≠≤≥∧∨×·÷−∙∞])/iuy

/** Splits an expression into tokens. Fails: `ExpressionError` for unknown characters. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(text)?.groups
    if (!groups) throw new ExpressionError(`Unexpected ${JSON.stringify(text[at])} in the expression`)
    if (groups.space === undefined) tokens.push(toToken(groups))
  }
  tokens.push({ kind: 'end' })
  return tokens
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
