import { APP_ERRORS, type AppErrorCode } from '@meadow/contract/web'

/** A refusal that the caller is told of. Anything else that is thrown is a bug and becomes `internal`. */
export class HttpError extends Error {
  override readonly name = 'Refusal'
  readonly code: AppErrorCode
  readonly status: number
  readonly sentence: string
  /** Headers that the answer must carry, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: AppErrorCode, options: HttpErrorOptions = {}) {
    const { sentence = APP_ERRORS[code].sentence, headers = {} } = options
    super(sentence, options)
    this.code = code
    this.status = APP_ERRORS[code].status
    this.sentence = sentence
    this.headers = headers
  }
}

export interface HttpErrorOptions extends ErrorOptions {
  headers?: Record<string, string>
  /** In place of the usual sentence, where there is more to tell. */
  sentence?: string
}
