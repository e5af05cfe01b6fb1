/** What can be wrong with a file, as a code to branch on. */
export type GrasshopperErrorCode =
  /** Neither a deflated archive nor XML of one; also an empty file. */
  | 'not_an_archive'
  /** The bytes end before what they promise. */
  | 'truncated'
  /** A count, length, type, index or text that the format does not allow. */
  | 'malformed'
  /** A limit was passed: inflated size, number of elements, depth. */
  | 'too_large'
  /** An archive, but not of a definition: a user object or cluster file, or no Definition chunk. */
  | 'not_a_definition'
  /** Two objects or ports carry one id. */
  | 'duplicate_id'
  /** Wires form a cycle. */
  | 'cyclic_wires'

/**
 * A file that cannot be read. The message is a sentence for the person whose file it is.
 * `where` names the place: a chunk path such as `Root/Definition/DefinitionObjects/Object #3`, with a byte offset
 * in binary archives and a line in XML ones.
 */
export class GrasshopperError extends Error {
  override readonly name = 'GrasshopperError'
  readonly code: GrasshopperErrorCode
  readonly where: string

  constructor(code: GrasshopperErrorCode, what: string, where: string, options?: ErrorOptions) {
    super(where === '' ? what : `${what} (at ${where})`, options)
    this.code = code
    this.where = where
  }
}

/** What is wrong, thrown where the place is not known; `locate` adds the place. Never leaves this package. */
export class Fault extends Error {
  readonly code: GrasshopperErrorCode

  constructor(code: GrasshopperErrorCode, what: string) {
    super(what)
    this.code = code
  }
}

/** The error to throw for one that was caught: a fault with its place, anything else as it is. */
export function locate(error: unknown, ...where: string[]): unknown {
  if (!(error instanceof Fault)) return error
  return new GrasshopperError(error.code, error.message, where.filter(Boolean).join(', '), { cause: error })
}

/** Text of a file as it can stand in a message: short, and without characters that act on a terminal or log. */
export function printable(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return short.replace(/\p{C}/gu, '\ufffd')
}
