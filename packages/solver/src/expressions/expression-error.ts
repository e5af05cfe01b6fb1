/** An expression that cannot be parsed or evaluated. The message addresses its author. */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
}

/** An expression that Grasshopper might evaluate, and Meadow cannot. */
export class ExpressionLimit extends ExpressionError {
  override readonly name = 'ExpressionLimit'
}

/** Reports an error of an expression to a node: `limit` if Grasshopper might have a result. Throws other errors. */
export function reportExpression(
  error: unknown,
  { error: fail, limit }: { error(message: string): void; limit(message: string): void },
): void {
  if (!(error instanceof ExpressionError)) throw error
  const report = error instanceof ExpressionLimit ? limit : fail
  report(error.message)
}
