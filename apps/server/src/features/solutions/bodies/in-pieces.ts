const PIECE_BYTES = 64 * 1024

/** The same bytes in pieces of up to 64 KB: whoever compresses or writes them has a cost for each. */
export function* inPieces(parts: Iterable<Uint8Array | string>): Generator<Uint8Array> {
  let crumbs: Uint8Array[] = []
  let length = 0
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    if (length > 0 && length + bytes.length > PIECE_BYTES) {
      yield Buffer.concat(crumbs)
      crumbs = []
      length = 0
    }
    if (bytes.length > PIECE_BYTES) yield* cut(bytes)
    else {
      crumbs.push(bytes)
      length += bytes.length
    }
  }
  if (length > 0) yield Buffer.concat(crumbs)
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES)
  }
}
