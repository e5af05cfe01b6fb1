import { formatValue } from '@meadow/geometry/values/format-value'
import { point } from '@meadow/geometry/values/points'
import { integer, type Value } from '@meadow/geometry/values/value'
import { ExpressionError, ExpressionLimit } from './expression-error.ts'
import { CONSTANTS, FUNCTIONS } from './functions.ts'
import { BINARY, isXyz, type Operand, toFloat, toTruth, UNARY } from './operators.ts'
import { parseExpression } from './parse.ts'
import type { Syntax } from './syntax.ts'

/** Evaluates an expression. The variables have the order of the names passed to `compile`. */
export type Compiled = (variables: readonly Operand[]) => Operand

/**
 * Compiles an expression for repeated evaluation. Names of variables, functions and constants are case-
 * insensitive; a variable hides a constant of the same name.
 * Fails: `ExpressionError`, on compiling for invalid syntax, on evaluating for invalid operands.
 */
export function compile(expression: string, variables: readonly string[]): Compiled {
  const indices = new Map(variables.map((name, i) => [name.toLowerCase(), i]))

  function build(syntax: Syntax): Compiled {
    switch (syntax.kind) {
      case 'number': {
        const value =
          syntax.isWhole && Number.isSafeInteger(syntax.value) ? integer(syntax.value) : syntax.value
        return () => value
      }
      case 'text':
        return () => syntax.value
      case 'name':
        return buildName(syntax.name)
      case 'unary': {
        const [run, operand] = [UNARY[syntax.operator], build(syntax.operand)]
        if (!run) throw new ExpressionError(`${syntax.operator} is not an operator`)
        return (scope) => run(need(operand(scope)))
      }
      case 'binary': {
        const [run, left, right] = [BINARY[syntax.operator], build(syntax.left), build(syntax.right)]
        if (!run) throw new ExpressionError(`${syntax.operator} is not an operator`)
        return (scope) => run(need(left(scope)), need(right(scope)))
      }
      case 'member': {
        const owner = build(syntax.owner)
        const member = syntax.member.toLowerCase()
        return (scope) => getMember(owner(scope), member)
      }
      case 'call':
        return buildCall(syntax.name, syntax.operands.map(build))
      case 'point': {
        const parts = syntax.coordinates.map(build)
        if (parts.length < 2 || parts.length > 3)
          throw new ExpressionError('A point has two or three coordinates')
        return (scope) => {
          const [x = 0, y = 0, z = 0] = parts.map((part) => toFloat(part(scope)))
          return point(x, y, z)
        }
      }
    }
  }

  function buildName(name: string): Compiled {
    const index = indices.get(name.toLowerCase())
    if (index !== undefined) return (scope) => scope[index] ?? null
    const constant = CONSTANTS.get(name.toLowerCase())
    if (constant === undefined) throw new ExpressionError(`${name} is not a variable of this expression`)
    return () => constant
  }

  return build(parseExpression(expression))
}

function buildCall(name: string, operands: readonly Compiled[]): Compiled {
  if (name.toLowerCase() === 'if') return buildChoice(operands)
  const callable = FUNCTIONS.get(name.toLowerCase())
  if (!callable) throw new ExpressionLimit(`${name} is not a known function`)
  const [least, most] = callable.arity
  if (operands.length < least || operands.length > most) {
    throw new ExpressionLimit(`${name} does not take ${operands.length} values`)
  }
  return (scope) => callable.run(operands.map((operand) => operand(scope)))
}

/** `if(test, a, b)` evaluates only the selected branch. */
function buildChoice([test, then, otherwise, ...others]: readonly Compiled[]): Compiled {
  if (!test || !then || !otherwise || others.length > 0) throw new ExpressionError('If takes three values')
  return (scope) => (toTruth(test(scope)) ? then(scope) : otherwise(scope))
}

function need(operand: Operand): Value {
  if (operand === null) throw new ExpressionError('A variable has no value')
  return operand
}

/** `p.x`, `v.length`, `text.length` */
function getMember(owner: Operand, member: string): Operand {
  if (isXyz(owner)) {
    if (member === 'x' || member === 'y' || member === 'z') return owner[member]
    if (member === 'length') return Math.hypot(owner.x, owner.y, owner.z)
  }
  if (typeof owner === 'string' && member === 'length') return integer(owner.length)
  if (owner !== null && typeof owner === 'object' && owner.type === 'domain') {
    if (member === 't0' || member === 'start') return owner.start
    if (member === 't1' || member === 'end') return owner.end
  }
  if (owner === null) throw new ExpressionError(`Nothing has no ${member}`)
  throw new ExpressionLimit(`${formatValue(owner)} has no known ${member}`)
}
