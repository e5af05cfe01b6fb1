/** An expression that cannot be parsed or evaluated. The message addresses its author. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}
