/** The longest head of a request that a reader takes. */
const MAX_HEAD_BYTES = 8 * 1024

/** The characters of a segment of a path. */
const SEGMENT = '[!-"$-.0->@-~]+'

/** Headers that announce a body, or that change what follows the request on its connection. */
const UNUSUAL = /\r\n(?:content-length|transfer-encoding|expect|upgrade|trailer|te):/i

/**
 * Whether a chunk of data is exactly one request that a reader answers: the head of a GET or HEAD of the team, a folder,
 * a document or a search, over HTTP/1.1 and without a body. Everything else, however it is written, is left to the main
 * process. `publicPath` is the path of the public address, which a proxy may leave in place.
 */
export function createReadMatcher(publicPath: string): (chunk: Buffer) => boolean {
  const path = RegExp.escape(publicPath)
  const resource = `(?:team|documents|(?:folders|documents)/${SEGMENT})`
  // The name of a header holds no colon, so that a head that does not match is rejected in one pass.
  const plainRead = new RegExp(
    `^(?:GET|HEAD) (?:${path})?/api/v1/${resource}(?:\\?[!-"$-~]*)? HTTP/1\\.1\\r\\n(?:[!-9;-~]+:[^\\r\\n\\0]*\\r\\n)+\\r\\n$`,
  )
  return (chunk) => {
    if (chunk.length > MAX_HEAD_BYTES) return false
    const head = chunk.toString('latin1')
    return plainRead.test(head) && !UNUSUAL.test(head)
  }
}
