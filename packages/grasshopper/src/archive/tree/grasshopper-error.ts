/** What is wrong with a file. */
export type GrasshopperErrorCode =
  /** Neither a deflated archive nor the XML of one; also an empty file. */
  | 'not_an_archive'
  /** The bytes end too early. */
  | 'truncated'
  /** A count, length, type, index or text that the format does not allow. */
  | 'malformed'
  /** A limit is exceeded: inflated size, number of elements, depth. */
  | 'too_large'
  /** An archive, but not of a definition: a user object or cluster file, or no Definition chunk. */
  | 'not_a_definition'
  /** An archive, but not of a user object, or not of a cluster file. */
  | 'not_a_user_object'
  | 'not_a_cluster'
  /** Two objects or ports have the same id. */
  | 'duplicate_id'
  /** Wires form a cycle. */
  | 'cyclic_wires'

/**
 * A file that cannot be read. The message is a sentence to show to the user.
 * `where` is the location: a chunk path such as `Root/Definition/DefinitionObjects/Object #3`, with a byte offset in
 * binary archives and a line number in XML.
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

/** An error whose location is added by `locate`. It never leaves this package. */
export class Fault extends Error {
  readonly code: GrasshopperErrorCode

  constructor(code: GrasshopperErrorCode, what: string) {
    super(what)
    this.code = code
  }
}

/** Converts a `Fault` to a `GrasshopperError` with its location; other errors stay as they are. */
export function locate(error: unknown, ...where: string[]): unknown {
  if (!(error instanceof Fault)) return error
  return new GrasshopperError(error.code, error.message, where.filter(Boolean).join(', '), { cause: error })
}

/** Text of a file for a message: shortened, and without characters that affect a terminal or log. */
export function printable(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return short.replace(/\p{C}/gu, '\ufffd')
}
