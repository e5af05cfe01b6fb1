import { createHash, type Hash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_ONLY } from '../../data-folder.ts'
import type { Digest, StoredBlob } from '../blobs.ts'
import type { S3Body } from './s3-client.ts'

/**
 * A part of an upload. Every store takes parts of 5 MiB and more, and some want all but the last to have the same size;
 * 10,000 of these are 80 GB.
 */
const PART_BYTES = 8 * 2 ** 20

/**
 * Bytes whose digest is known before the first of them is sent, in parts of {@link PART_BYTES}; the last may be
 * smaller.
 */
export interface Spooled extends StoredBlob, AsyncDisposable {
  parts: S3Body[]
}

/** Spools bytes in memory without a copy. */
export function spoolBytes(bytes: Uint8Array): Spooled {
  const parts: S3Body[] = []
  for (let start = 0; start < bytes.length || start === 0; start += PART_BYTES) {
    const part = bytes.subarray(start, start + PART_BYTES)
    parts.push({ size: part.length, sha256: sha256Of(part), chunks: () => [part] })
  }
  const digest = (parts.length === 1 ? parts[0]!.sha256 : sha256Of(bytes)) as Digest
  return { digest, size: bytes.length, parts, [Symbol.asyncDispose]: async () => {} }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Reads a stream to its end: up to one part into memory, a longer one into a file in `folder` that has no name any
 * more, so that it never remains.
 */
export async function spoolStream(chunks: AsyncIterable<Uint8Array>, folder: string): Promise<Spooled> {
  const whole = createHash('sha256')
  const parts: { hash: Hash; size: number }[] = []
  let held: Uint8Array[] = []
  let size = 0
  let file: FileHandle | undefined

  function hashPiece(piece: Uint8Array): void {
    if (parts.length === 0 || parts.at(-1)!.size === PART_BYTES)
      parts.push({ hash: createHash('sha256'), size: 0 })
    const part = parts.at(-1)!
    part.hash.update(piece)
    part.size += piece.length
  }

  async function add(chunk: Uint8Array): Promise<void> {
    whole.update(chunk)
    for (let start = 0; start < chunk.length; ) {
      const room = PART_BYTES - (size % PART_BYTES)
      const piece = chunk.subarray(start, start + room)
      hashPiece(piece)
      start += piece.length
      size += piece.length
    }
    if (file) await file.writeFile(chunk)
    // The owner of the chunk may use it again.
    else held.push(Uint8Array.from(chunk))
    if (!file && size > PART_BYTES) {
      file = await openUnnamed(folder)
      for (const piece of held) await file.writeFile(piece)
      held = []
    }
  }

  try {
    for await (const chunk of chunks) await add(chunk)
  } catch (error) {
    await file?.close()
    throw error
  }
  if (!file) return spoolBytes(Buffer.concat(held))
  const spooled = file
  return {
    digest: whole.digest('hex') as Digest,
    size,
    parts: parts.map((part, i) => ({
      size: part.size,
      sha256: part.hash.digest('hex'),
      chunks: () => readPart(spooled, i * PART_BYTES, part.size),
    })),
    [Symbol.asyncDispose]: () => spooled.close(),
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', OWNER_ONLY.file)
  await rm(path)
  return file
}

const CHUNK_BYTES = 256 * 1024

async function* readPart(file: FileHandle, start: number, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start + position)
    if (bytesRead === 0) throw new Error('A file of a blob that is being stored became shorter.')
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
