import { GrasshopperError, type GrasshopperErrorCode } from '../grasshopper-error.ts'

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
