/** A check cannot be made as it was asked for. The message is a sentence that says what to change. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}
