/** What the server answered instead of what was asked for. Its message is the server's own sentence. */
export class ApiError extends Error {
  override readonly name = 'Refusal'
  /** 0: the server could not be reached. */
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** What to show people of any failure. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Something went wrong on this page. Reload it and try again.'
}
