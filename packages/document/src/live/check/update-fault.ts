/** Why an update is refused. */
export type UpdateFault =
  /** Beyond one of `LIVE_LIMITS`. */
  | 'too_large'
  /** No update of Yjs, or one that no honest client makes. */
  | 'malformed'
  /** It builds on something that is not here. The sender may know more: fetch what was logged since, check again. */
  | 'behind'
  /** It says that it comes from a Yjs client that is somebody else's. */
  | 'foreign_client'
  /** It puts something into the document that has no place there. */
  | 'not_valid'

/** The sentences are for the person whose editor sent the update. */
export const FAULT_SENTENCES: Readonly<Record<UpdateFault, string>> = {
  too_large: 'This edit is too large, or the document cannot take any more.',
  malformed: 'This edit is damaged.',
  behind: 'This edit builds on others that never arrived.',
  foreign_client: 'This edit carries the mark of another editor.',
  not_valid: 'This edit would put something into the document that has no place there.',
}

/** Stops a check; never leaves it. */
export class FaultyUpdate extends Error {
  readonly fault: UpdateFault
  /** What was wrong, for the log: where, never what it said. */
  readonly detail: string

  constructor(fault: UpdateFault, detail: string) {
    super(detail)
    this.fault = fault
    this.detail = detail
  }
}
