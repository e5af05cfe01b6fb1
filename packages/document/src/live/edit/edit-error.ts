/** Why something was not edited. */
export type LiveEditFault =
  /** There is no such node, port, wire or group; somebody may just have removed it. */
  | 'not_found'
  /** What was given is no such thing, or stands where it cannot. */
  | 'not_valid'
  /** An id that something else in the document has. */
  | 'id_taken'
  /** Beyond one of `LIVE_LIMITS`. */
  | 'too_large'

/** An edit that was not made. The message is a sentence for the person; nothing was changed. */
export class LiveEditError extends Error {
  override readonly name = 'LiveEditError'
  readonly code: LiveEditFault

  constructor(code: LiveEditFault, sentence: string) {
    super(sentence)
    this.code = code
  }
}
