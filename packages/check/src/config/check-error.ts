/** The error of a check that cannot be made as it was requested. The message is a sentence that says what to change. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}
