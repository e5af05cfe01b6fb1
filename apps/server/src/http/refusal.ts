import { REFUSALS, type RefusalCode } from '@meadow/contract'

/** A refusal that the caller is told of. Anything else that is thrown is a bug and becomes `internal`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly status: number
  readonly sentence: string
  /** Headers that the answer must carry, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: RefusalCode, options: ErrorOptions & { headers?: Record<string, string> } = {}) {
    super(REFUSALS[code].sentence, options)
    this.code = code
    this.status = REFUSALS[code].status
    this.sentence = REFUSALS[code].sentence
    this.headers = options.headers ?? {}
  }
}

export const refuse = (code: RefusalCode, options?: ConstructorParameters<typeof Refusal>[1]): Refusal =>
  new Refusal(code, options)
