/** Why an edit was not made. */
export type LiveEditErrorCode =
  /** There is no such node, port, wire or group; another editor may just have removed it. */
  | 'not_found'
  /** An argument is invalid, or does not apply to this node. */
  | 'not_valid'
  /** The document has the id already. */
  | 'id_taken'
  /** It exceeds one of `LIVE_LIMITS`. */
  | 'too_large'

/** An edit that was not made. Nothing was changed. The message is a sentence to show to the user. */
export class LiveEditError extends Error {
  override readonly name = 'LiveEditError'
  readonly code: LiveEditErrorCode

  constructor(code: LiveEditErrorCode, sentence: string) {
    super(sentence)
    this.code = code
  }
}
