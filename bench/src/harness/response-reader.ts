/** The status and size of a response. */
export interface ResponseHead {
  status: number
  /** The size of the body as sent, in bytes. */
  bodyBytes: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const CHUNKED_END = Buffer.from('0\r\n\r\n')

/**
 * A minimal parser for the responses of one HTTP/1.1 connection: reads the status and the length, and counts the bytes
 * of bodies. Requests must not be pipelined, and not be HEAD requests.
 */
export class ResponseReader {
  readonly #onResponse: (head: ResponseHead) => void
  /** The start of a head that came in several pieces. */
  #pending: Buffer | undefined
  #head: ResponseHead | undefined
  /** The missing bytes of the current body; undefined for a chunked one, whose end is recognized by its last bytes. */
  #bytesLeft: number | undefined = 0
  #chunkedTail = Buffer.alloc(0)

  constructor(onResponse: (head: ResponseHead) => void) {
    this.#onResponse = onResponse
  }

  /** Takes received bytes. The caller may reuse the buffer afterwards. */
  push(bytes: Buffer): void {
    if (this.#head === undefined) this.#readHead(bytes)
    else this.#readBody(bytes)
  }

  #readHead(bytes: Buffer): void {
    const seen = this.#pending ? Buffer.concat([this.#pending, bytes]) : bytes
    const end = seen.indexOf(HEAD_END)
    if (end === -1) {
      this.#pending = Buffer.from(seen)
      return
    }
    this.#pending = undefined
    const text = seen.toString('latin1', 0, end)
    const status = Number(text.slice(9, 12))
    if (!text.startsWith('HTTP/1.1 ') || !(status >= 200))
      throw new Error(`Not a response: ${text.slice(0, 80)}`)
    this.#bytesLeft = bodyLength(status, text)
    this.#head = { status, bodyBytes: this.#bytesLeft ?? 0 }
    this.#readBody(seen.subarray(end + HEAD_END.length))
  }

  #readBody(bytes: Buffer): void {
    if (this.#bytesLeft === undefined) this.#readChunked(bytes)
    else this.#bytesLeft -= bytes.length
    if (this.#bytesLeft === undefined || this.#bytesLeft > 0) return
    if (this.#bytesLeft < 0) throw new Error('More bytes arrived than the response announced.')
    const head = this.#head!
    this.#head = undefined
    this.#onResponse(head)
  }

  /**
   * Reads a part of a chunked body. Without pipelining, and because JSON contains no empty line, the last bytes show
   * that the response is complete.
   */
  #readChunked(bytes: Buffer): void {
    this.#head!.bodyBytes += bytes.length
    this.#chunkedTail = Buffer.concat([this.#chunkedTail, bytes.subarray(-CHUNKED_END.length)]).subarray(
      -CHUNKED_END.length,
    )
    if (!this.#chunkedTail.equals(CHUNKED_END)) return
    this.#chunkedTail = Buffer.alloc(0)
    this.#bytesLeft = 0
  }
}

/** Returns the length of a body; undefined for a chunked one. */
function bodyLength(status: number, head: string): number | undefined {
  if (status === 204 || status === 304) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return Number(length)
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return undefined
  throw new Error('The response has no length.')
}
