/** Why an update is rejected. */
export type UpdateRejectionCode =
  /** It exceeds one of `LIVE_LIMITS`. */
  | 'too_large'
  /** It is not an update of Yjs, or no honest client makes it. */
  | 'malformed'
  /** It builds on something that this copy lacks. The copy may be behind: fetch the newer updates, then check again. */
  | 'behind'
  /** It comes from a Yjs client that belongs to another user. */
  | 'foreign_client'
  /** It puts something into the document that does not belong there. */
  | 'not_valid'

/** The sentences are for the person whose editor sent the update. */
export const REJECTION_SENTENCES: Readonly<Record<UpdateRejectionCode, string>> = {
  too_large: 'This edit is too large, or the document cannot take any more.',
  malformed: 'This edit is damaged.',
  behind: 'This edit builds on others that never arrived.',
  foreign_client: 'This edit carries the mark of another editor.',
  not_valid: 'This edit would put something into the document that has no place there.',
}

/** Ends a check; never leaves `openUpdateCheck`. */
export class RejectedUpdate extends Error {
  readonly code: UpdateRejectionCode
  /** The reason, for the log, without any content of the update. */
  readonly detail: string

  constructor(fault: UpdateRejectionCode, detail: string) {
    super(detail)
    this.code = fault
    this.detail = detail
  }
}
