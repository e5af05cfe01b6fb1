import { APP_REFUSALS, type AppRefusalCode } from '@meadow/contract/web'

/** A refusal that the caller is told of. Anything else that is thrown is a bug and becomes `internal`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: AppRefusalCode
  readonly status: number
  readonly sentence: string
  /** Headers that the answer must carry, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: AppRefusalCode, options: RefusalOptions = {}) {
    const { sentence = APP_REFUSALS[code].sentence, headers = {} } = options
    super(sentence, options)
    this.code = code
    this.status = APP_REFUSALS[code].status
    this.sentence = sentence
    this.headers = headers
  }
}

export interface RefusalOptions extends ErrorOptions {
  headers?: Record<string, string>
  /** In place of the usual sentence, where there is more to tell. */
  sentence?: string
}

export const refuse = (code: AppRefusalCode, options?: RefusalOptions): Refusal => new Refusal(code, options)
