/** Why a live document cannot be opened, or was closed. */
export type LiveFault =
  /** There is no session, or it is over. */
  | 'not_signed_in'
  /** There is no such document, or this user has no access to it. */
  | 'not_found'
  /** This user may only read the document. */
  | 'viewer'
  /** The server rejected an edit: the copy is discarded, and the document is loaded again without the edit. */
  | 'refused'
  /** The server cannot be reached, or did not answer in time. */
  | 'not_reachable'
  /** The document was closed by this client. */
  | 'closed'

/** An error of a live document. The message is a sentence to show to the user. */
export class LiveError extends Error {
  override readonly name = 'LiveError'
  readonly fault: LiveFault

  constructor(fault: LiveFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
