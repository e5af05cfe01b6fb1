import { constants, inflateRawSync } from 'node:zlib'
import { GrasshopperError } from '../grasshopper-error.ts'
import { startsWithRootName } from './root-names.ts'

/** Inflates the whole of a binary archive. Fails: `GrasshopperError`, with what the first bytes tell about the file. */
export function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array {
  // With `info` the result has the stream too, which the types of Node don't know.
  const options = { maxOutputLength: maxBytes, info: true }
  let result: { buffer: Buffer; engine: { bytesWritten: number } }
  try {
    result = inflateRawSync(bytes, options) as unknown as typeof result
  } catch (cause) {
    throw explain(cause, bytes, maxBytes)
  }
  if (result.buffer.length === 0 || !startsWithRootName(result.buffer)) throw createOtherFileError()
  const rest = bytes.length - result.engine.bytesWritten
  if (rest > 0) throw new GrasshopperError('malformed', `${rest} bytes follow the end of the archive`, '')
  return result.buffer
}

function explain(cause: unknown, bytes: Uint8Array, maxBytes: number): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    return new GrasshopperError('too_large', `The archive inflates to more than ${maxBytes} bytes`, '', {
      cause,
    })
  }
  if (code !== 'Z_DATA_ERROR' && code !== 'Z_BUF_ERROR') return cause
  if (!startsAsArchive(bytes)) return createOtherFileError(cause)
  return code === 'Z_BUF_ERROR'
    ? new GrasshopperError('truncated', 'The file ends too early', '', { cause })
    : new GrasshopperError('malformed', 'The file is damaged: it cannot be inflated', '', { cause })
}

function createOtherFileError(cause?: unknown): GrasshopperError {
  return new GrasshopperError('not_an_archive', 'The file is not a Grasshopper archive', '', { cause })
}

/** Whether the first bytes inflate, however far, to the start of an archive. */
function startsAsArchive(bytes: Uint8Array): boolean {
  try {
    return startsWithRootName(inflateRawSync(bytes.subarray(0, 512), { finishFlush: constants.Z_SYNC_FLUSH }))
  } catch {
    return false
  }
}
