/** How a request to a Rhino.Compute server ended, for metrics. */
export const COMPUTE_OUTCOMES = [
  'answered',
  'unreachable',
  'unavailable',
  'refused',
  'lost',
  'timed_out',
  'too_large',
  'failed',
] as const
export type ComputeOutcome = (typeof COMPUTE_OUTCOMES)[number]

/** A Rhino.Compute server did not solve a document. The message is a sentence for the document's author. */
export class ComputeFailure extends Error {
  override readonly name = 'ComputeFailure'
  readonly outcome: Exclude<ComputeOutcome, 'answered'>

  constructor(outcome: Exclude<ComputeOutcome, 'answered'>, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.outcome = outcome
  }
}
