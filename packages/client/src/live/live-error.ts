/** Why a live document cannot be opened, or was closed. */
export type LiveFault =
  /** No session, or one that is over. */
  | 'not_signed_in'
  /** There is no such document, or not for this person. */
  | 'not_found'
  /** This person may look and not edit. */
  | 'viewer'
  /** The server refused an edit: the copy was dropped, and the document is loaded again without it. */
  | 'refused'
  /** The server cannot be reached, or not for as long as one was ready to wait. */
  | 'not_reachable'
  /** It was closed here. */
  | 'closed'

/** What goes wrong with a live document. The message is a sentence for people. */
export class LiveError extends Error {
  override readonly name = 'LiveError'
  readonly fault: LiveFault

  constructor(fault: LiveFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
