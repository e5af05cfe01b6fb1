import type { IncomingMessage } from 'node:http'
import { NotConnectedError, postOutbound } from '../../../platform/outbound.ts'
import { ComputeFailure } from './compute-failure.ts'

/** A Rhino.Compute server, as the operator configures it. */
export interface ComputeServer {
  /** The address with http or https, without a closing slash. */
  readonly url: string
  /** Sent in the header RhinoComputeKey. */
  readonly key: string | undefined
  /** A member of RhinoCommon's `UnitSystem`. */
  readonly units: string
}

export interface PostRequest {
  server: Pick<ComputeServer, 'url' | 'key'>
  /** Begins with a slash. */
  path: string
  /** JSON. */
  body: Uint8Array
  signal: AbortSignal
  maxResponseBytes: number
}

export interface ComputeResponse {
  status: 200 | 500
  /** Fails with a `ComputeFailure` when the connection is lost, or the response is too large. */
  chunks: AsyncIterable<Uint8Array>
  /** Ends the connection, whatever was read. */
  close(): void
}

/**
 * Posts to a Rhino.Compute server. `onBytes` is called with the length of each chunk that arrives.
 * Fails: `ComputeFailure`, `unreachable` or `unavailable` when the server has certainly not begun.
 */
export async function post(request: PostRequest, onBytes: (bytes: number) => void): Promise<ComputeResponse> {
  const message = await send(request)
  const { statusCode: status = 0 } = message
  if (status !== 200 && status !== 500) {
    message.destroy()
    throw describeStatus(status)
  }
  const chunks = readChunks(message, request.maxResponseBytes, onBytes)
  return { status, chunks, close: () => void message.destroy() }
}

async function send({ server, path, body, signal }: PostRequest): Promise<IncomingMessage> {
  const headers = {
    accept: 'application/json',
    'user-agent': 'Meadow',
    ...(server.key !== undefined && { RhinoComputeKey: server.key }),
  }
  try {
    return await postOutbound({ url: new URL(server.url + path), headers, body, signal })
  } catch (error) {
    throw describeError(error as Error)
  }
}

async function* readChunks(
  message: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length
      onBytes(chunk.length)
      if (bytes > maxBytes) {
        const megabytes = Math.floor(maxBytes / 2 ** 20)
        throw new ComputeFailure(
          'too_large',
          `The answer of the Rhino.Compute server is larger than ${megabytes} MB.`,
        )
      }
      yield chunk
    }
  } catch (error) {
    throw error instanceof ComputeFailure ? error : describeError(error as Error)
  }
}

function describeError(error: Error): ComputeFailure {
  const options = { cause: error }
  if (!(error instanceof NotConnectedError)) {
    const sentence = 'The connection to the Rhino.Compute server was lost while it solved the document.'
    return new ComputeFailure('lost', sentence, options)
  }
  const code = error.code || 'no answer'
  if (error.reason === 'tls') {
    const sentence = `No secure connection to the Rhino.Compute server is possible (${code}).`
    return new ComputeFailure('refused', sentence, options)
  }
  return new ComputeFailure(
    'unreachable',
    `The Rhino.Compute server could not be reached (${code}).`,
    options,
  )
}

function describeStatus(status: number): ComputeFailure {
  switch (status) {
    case 401:
    case 403:
      return new ComputeFailure('refused', 'The Rhino.Compute server rejected the key.')
    case 404:
    case 405:
      return new ComputeFailure('refused', `There is no Rhino.Compute server at its address (${status}).`)
    case 413:
      return new ComputeFailure('refused', 'The definition is too large for the Rhino.Compute server (413).')
    case 429:
    case 503:
      return new ComputeFailure('unavailable', `The Rhino.Compute server is not available (${status}).`)
  }
  if (status >= 300 && status < 400) {
    const sentence = `The Rhino.Compute server redirects (${status}), which is not followed.`
    return new ComputeFailure('refused', sentence)
  }
  return new ComputeFailure('failed', `The Rhino.Compute server failed (${status}).`)
}
