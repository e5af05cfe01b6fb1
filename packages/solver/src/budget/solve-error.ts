/** Why a solve ended without a solution. */
export type SolveErrorCode =
  /** Wires run in a circle. */
  | 'document_cyclic'
  | 'deadline_exceeded'
  | 'aborted'
  /** More values than a solve may make. */
  | 'too_many_values'
  /** More memory for values and texts than a solve may take. */
  | 'too_much_memory'

const SENTENCES: Readonly<Record<SolveErrorCode, string>> = {
  document_cyclic: 'The wires of the document run in a circle.',
  deadline_exceeded: 'The solve took longer than it may.',
  aborted: 'The solve was called off.',
  too_many_values: 'The solve would make more values than it may.',
  too_much_memory: 'The solve would take more memory than it may.',
}

export class SolveError extends Error {
  override readonly name = 'SolveError'
  readonly code: SolveErrorCode
  /** Along which the wires run in a circle; else the one node where the solve was. */
  readonly nodeInstanceIds: readonly string[]

  constructor(code: SolveErrorCode, nodeInstanceIds: readonly string[] = []) {
    super(SENTENCES[code])
    this.code = code
    this.nodeInstanceIds = nodeInstanceIds
  }
}
