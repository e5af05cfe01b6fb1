/** Why a solve ended without a solution. */
export type SolveErrorCode =
  /** The wires form a cycle. */
  | 'document_cyclic'
  | 'deadline_exceeded'
  | 'aborted'
  /** The limit of values is exceeded. */
  | 'too_many_values'
  /** The limit of memory for values and texts is exceeded. */
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
  /** The nodes of the cycle; otherwise the node that was being solved. */
  readonly nodeInstanceIds: readonly string[]

  constructor(code: SolveErrorCode, nodeInstanceIds: readonly string[] = []) {
    super(SENTENCES[code])
    this.code = code
    this.nodeInstanceIds = nodeInstanceIds
  }
}
