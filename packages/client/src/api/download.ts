import { sleep, startClock } from './clock.ts'
import { ApiError, BadAnswer, ConnectionFailed, FileChanged, TimedOut } from './errors.ts'
import type { Export, RequestExportParameters } from './generated/types.ts'
import type { Meadow } from './meadow.ts'
import { createSha256, type Hash } from './sha256.ts'
import { type CallOptions, pauseBefore, readBody, readError, type Transport } from './transport.ts'

/** The file of a document, or of its solution. */
export interface ExportRequest extends RequestExportParameters {
  documentId: string
}

export interface DownloadOptions extends CallOptions {
  /** How long the connection may be silent before the download goes on with another one, in milliseconds. */
  timeoutMs?: number | undefined
  /** How many times in a row the download may be interrupted without a byte in between. */
  retries?: number | undefined
  /**
   * Called for each part, with the number of bytes received so far and the size of the file. An error that it throws
   * ends the download.
   */
  onProgress?: ((receivedBytes: number, totalBytes: number) => void) | undefined
  /** The export, if it was requested already. */
  export?: Export | undefined
  /**
   * The number of bytes of this file that exist already: the stream begins after them, and `hash` has been updated with
   * them.
   */
  receivedBytes?: number | undefined
  /** The SHA-256 to use in place of the package's own. */
  hash?: Hash | undefined
}

export interface Download {
  readonly export: Export
  /** The bytes. It fails with `FileChanged` at its end if they are not those that the export's digest names. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Reads the stream. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  blob(): Promise<Blob>
}

type Chunk = Uint8Array<ArrayBuffer>

export async function openDownload(
  meadow: Meadow,
  fetchLink: Transport['fetchLink'],
  request: ExportRequest,
  options: DownloadOptions,
): Promise<Download> {
  const { documentId, ...parameters } = request
  const { signal, headers } = options
  const ask = () => meadow.requestExport(documentId, { ...parameters, signal, headers })
  const file = checkExport(options.export ?? (await ask()))
  const chunks = receive(file, ask, fetchLink, options)
  const stream = new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await chunks.return()),
    },
    { highWaterMark: 0 },
  )
  const read = () => new Response(stream)
  return {
    export: file,
    stream,
    bytes: async () => new Uint8Array(await read().arrayBuffer()),
    blob: () => read().blob(),
  }
}

/**
 * Yields the bytes of a file from `receivedBytes` on. After an interruption the next request asks for the missing part;
 * a link that has ended is replaced, if the new one leads to the same file.
 */
async function* receive(
  file: Export,
  ask: () => Promise<Export>,
  fetchLink: Transport['fetchLink'],
  {
    signal,
    timeoutMs = 60_000,
    retries = 4,
    onProgress,
    receivedBytes = 0,
    hash = createSha256(),
  }: DownloadOptions,
): AsyncGenerator<Chunk, void, undefined> {
  let { url } = file
  let position = receivedBytes
  for (let failures = 0; position < file.size; ) {
    const clock = startClock(timeoutMs, signal, `Waiting for the next bytes of ${file.fileName}`)
    const begin = position
    try {
      const headers: Record<string, string> = begin > 0 ? { range: `bytes=${begin}-` } : {}
      const response = await fetchLink(
        url,
        { headers, signal: clock.signal, timeoutMs },
        (answer, { release }) => {
          release()
          return answer
        },
      )
      for await (const chunk of readChunks(response, begin, clock.signal, file)) {
        position += chunk.length
        if (position > file.size) throw new FileChanged(`${file.fileName} is longer than its export says.`)
        hash.update(chunk)
        onProgress?.(position, file.size)
        // The reader may take its time: only the connection has a deadline.
        clock.pause()
        yield chunk
        clock.restart()
      }
      if (position < file.size)
        throw new ConnectionFailed(`The download of ${file.fileName} was interrupted.`)
    } catch (error) {
      signal?.throwIfAborted()
      failures = position > begin ? 0 : failures + 1
      if (failures > retries || !isPassing(error)) throw error
      if (error instanceof ApiError) url = await renew(file, ask)
      else await sleep(pauseBefore(failures), signal)
    } finally {
      clock.stop()
    }
  }
  if (hash.digest() !== file.sha256)
    throw new FileChanged(`${file.fileName} has another digest than its export says: download it again.`)
}

/** Yields the bytes of an answer after the first `begin` bytes of the file. */
async function* readChunks(
  response: Response,
  begin: number,
  signal: AbortSignal,
  { fileName }: Export,
): AsyncGenerator<Chunk, void, undefined> {
  const isPart =
    response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${begin}-`)
  if (response.status !== 200 && !isPart) throw await readError(response, 'the download link')
  let ignored = isPart ? 0 : begin
  for await (const chunk of readBody(response, signal, `The download of ${fileName}`)) {
    if (chunk.length > ignored) yield chunk.subarray(ignored)
    ignored = Math.max(0, ignored - chunk.length)
  }
}

/**
 * Whether the download can continue: the connection broke, or the link has ended, which may also be one of an object
 * store.
 */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError
    ? [403, 404, 410].includes(error.status)
    : error instanceof ConnectionFailed || error instanceof TimedOut

/**
 * Returns the export if it is valid: paths are made of its digest, and its link must lead to the web, not to a local
 * file.
 */
export function checkExport(file: Export): Export {
  const { url, fileName, size, sha256 } = file
  const isExport =
    /^https?:\/\//i.test(url) &&
    URL.canParse(url) &&
    typeof fileName === 'string' &&
    Number.isSafeInteger(size) &&
    size >= 0 &&
    /^[0-9a-f]{64}$/.test(sha256)
  if (!isExport)
    throw new BadAnswer('The export that the service answers has no link, size or digest to use.')
  return file
}

/** Requests another link to the same file. */
async function renew({ fileName, sha256 }: Export, ask: () => Promise<Export>): Promise<string> {
  const renewed = checkExport(await ask())
  if (renewed.sha256 !== sha256)
    throw new FileChanged(`${fileName} was made anew while it was downloaded: download it again.`)
  return renewed.url
}
