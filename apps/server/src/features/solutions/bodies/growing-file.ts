import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteReader } from '../../../http/responses/response-body.ts'
import { OWNER_ONLY } from '../../../platform/data-folder.ts'

/**
 * The gzip form of a body that a child process is writing, for the requests that read it meanwhile. The child opens the
 * file by its path and deletes the name, so that nothing is left behind, whoever dies.
 */
export interface GrowingFile {
  readonly path: string
  /** Records how many bytes can be read now. */
  grow(bytes: number): void
  /** Ends the file: it is complete, or failed with an error, which readers get. */
  end(error?: unknown): Promise<void>
  /** Opens the file for a reader; returns undefined when it has ended and nothing reads it any more. */
  open(): ByteReader | undefined
}

const CHUNK_BYTES = 64 * 1024

export async function createGrowingFile(folder: string): Promise<GrowingFile> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', OWNER_ONLY.file)
  let bytes = 0
  let end: { error?: unknown } | undefined
  let grown = Promise.withResolvers<void>()
  let users = 1

  function wakeReaders(): void {
    grown.resolve()
    grown = Promise.withResolvers()
  }

  async function release(): Promise<void> {
    users--
    if (users === 0) await file.close()
  }

  return {
    path,
    grow(size) {
      bytes = size
      wakeReaders()
    },
    async end(error) {
      bytes = (await file.stat()).size
      end = { error }
      wakeReaders()
      // The child has deleted it, unless it failed before.
      await rm(path, { force: true })
      await release()
    },
    open() {
      if (users === 0) return undefined
      users++
      return { read, [Symbol.asyncDispose]: release }
    },
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; ; ) {
      if (at < bytes) {
        const chunk = await readChunk(file, at, bytes)
        at += chunk.length
        yield chunk
      } else if (!end) await grown.promise
      else if (end.error !== undefined) throw end.error
      else return
    }
  }
}

async function readChunk(file: FileHandle, at: number, end: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
  if (bytesRead === 0) throw new Error('A body became shorter while it was made.')
  return buffer.subarray(0, bytesRead)
}

/** What the child that makes a body reports. */
export interface GrowthReport {
  /** How many bytes of the body's gzip form are in the file. */
  bytes: number
  /** Why the body has no geometry. */
  fault?: string
}

/** Smaller bodies are sent when they are complete, with their length. */
const REPORT_BYTES = 64 * 1024

/** Opens a growing file in the child that writes it. The returned function appends a chunk. */
export async function openGrowingFile(path: string, report: (bytes: number) => void) {
  const file = await open(path, 'r+')
  await rm(path)
  let bytes = 0
  let reported = 0
  return {
    async append(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length; )
        at += (await file.write(chunk, at, chunk.length - at, bytes + at)).bytesWritten
      bytes += chunk.length
      if (bytes - reported < REPORT_BYTES) return
      reported = bytes
      report(bytes)
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
