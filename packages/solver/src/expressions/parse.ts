import { ExpressionError, ExpressionLimit } from './expression-error.ts'
import type { Syntax } from './syntax.ts'
import { readTokens, type Token } from './tokens.ts'

const MAX_LENGTH = 10_000
/** The most nested levels: more than in expressions written by hand, and safe for the stack. */
const MAX_DEPTH = 200

/** The precedence of binary operators. */
const STRENGTHS: Readonly<Record<string, number>> = {
  or: 1,
  nor: 1,
  xor: 2,
  xnor: 2,
  and: 3,
  nand: 3,
  '=': 4,
  '<>': 4,
  '~': 4,
  '<': 5,
  '>': 5,
  '<=': 5,
  '>=': 5,
  '&': 6,
  '+': 7,
  '-': 7,
  '*': 8,
  '/': 8,
  '\\': 8,
  '%': 8,
  mod: 8,
  '^': 10,
}
/** A sign binds looser than a power (`-2^2` is -4) and tighter than a product. */
const SIGN_STRENGTH = 9
const NOT_STRENGTH = 4

/**
 * Parses an expression. Fails: `ExpressionError` for invalid syntax, more than 10,000 characters or more than
 * 200 levels. Takes linear time.
 * A precedence-climbing parser: the formula parsers on npm support neither `=` for equality nor `{x,y,z}` for
 * points, `≠`, `²` or case-insensitive word operators.
 */
export function parseExpression(text: string): Syntax {
  if (text.length > MAX_LENGTH) throw new ExpressionLimit('The expression is too long')
  const tokens = readTokens(text)
  let position = 0
  let depth = 0

  const peek = () => tokens[position] as Token
  const isSign = (value: string) => {
    const token = peek()
    return token.kind === 'sign' && token.value === value
  }
  const take = () => tokens[position++] as Token
  const skip = (value: string) => {
    const found = isSign(value)
    if (found) position++
    return found
  }
  const expect = (value: string) => {
    if (!skip(value)) throw new ExpressionError(`Expected ${value} but found ${show(peek())}`)
  }

  /** Reads operators with a precedence above `strength`. */
  function readBinary(strength: number): Syntax {
    if (++depth > MAX_DEPTH) throw new ExpressionLimit('The expression is nested too deeply')
    let left = readUnary()
    for (;;) {
      const token = peek()
      const operator = token.kind === 'sign' ? token.value : ''
      const own = STRENGTHS[operator]
      if (own === undefined || own <= strength) break
      position++
      // Powers are left-associative like other operators: 2^3^2 is 64.
      left = { kind: 'binary', operator, left, right: readBinary(own) }
    }
    depth--
    return left
  }

  function readUnary(): Syntax {
    const token = peek()
    if (token.kind !== 'sign') return readPostfix()
    switch (token.value) {
      case '-':
      case '+':
        position++
        return { kind: 'unary', operator: token.value, operand: readBinary(SIGN_STRENGTH) }
      case '!':
      case 'not':
        position++
        return { kind: 'unary', operator: 'not', operand: readBinary(NOT_STRENGTH) }
      case '√':
        position++
        return { kind: 'call', name: 'sqrt', operands: [readBinary(SIGN_STRENGTH)] }
      default:
        return readPostfix()
    }
  }

  function readPostfix(): Syntax {
    let operand = readOperand()
    for (;;) {
      if (skip('²')) operand = raise(operand, 2)
      else if (skip('³')) operand = raise(operand, 3)
      else if (skip('°')) operand = { kind: 'call', name: 'rad', operands: [operand] }
      else if (skip('.')) operand = { kind: 'member', owner: operand, member: readName() }
      else return operand
    }
  }

  function readName(): string {
    const token = take()
    if (token.kind !== 'name') throw new ExpressionError(`Expected a name but found ${show(token)}`)
    return token.value
  }

  function readOperand(): Syntax {
    const token = take()
    switch (token.kind) {
      case 'number':
      case 'text':
        return token
      case 'name':
        if (skip('(')) return { kind: 'call', name: token.value, operands: readOperands(')') }
        return { kind: 'name', name: token.value }
      case 'end':
        throw new ExpressionError('The expression ends too early')
    }
    switch (token.value) {
      case '(': {
        const inside = readBinary(0)
        expect(')')
        return inside
      }
      case '{':
        return { kind: 'point', coordinates: readOperands('}') }
      case '∞':
        return { kind: 'name', name: token.value }
      default:
        throw new ExpressionError(`Unexpected ${show(token)}`)
    }
  }

  function readOperands(close: string): Syntax[] {
    const operands: Syntax[] = []
    if (skip(close)) return operands
    do operands.push(readBinary(0))
    while (skip(',') || skip(';'))
    expect(close)
    return operands
  }

  const whole = readBinary(0)
  if (peek().kind !== 'end') throw new ExpressionError(`Unexpected ${show(peek())}`)
  return whole
}

function raise(operand: Syntax, power: number): Syntax {
  return {
    kind: 'binary',
    operator: '^',
    left: operand,
    right: { kind: 'number', value: power, isWhole: true },
  }
}

function show(token: Token): string {
  return token.kind === 'end' ? 'the end' : JSON.stringify(String(token.value))
}
