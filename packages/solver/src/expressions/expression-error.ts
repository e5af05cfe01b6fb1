/** An expression that cannot be read or computed. The message is meant for who wrote it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}
