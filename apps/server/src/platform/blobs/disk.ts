import { createHash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync, read, statSync } from 'node:fs'
import {
  access,
  chown,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OWNER_ONLY } from '../data-folder.ts'
import { PROBE_NAME, probeFolder } from '../probe-folder.ts'
import { findCode } from '../system-errors.ts'
import {
  type BlobStore,
  type ByteRange,
  checkMetadataName,
  type Digest,
  isDigest,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
} from './blobs.ts'

/** Returns the folder of files that do not have their names yet. */
export const unfinishedIn = (folder: string): string => join(folder, 'unfinished')

/** No write takes this long: older unfinished files are left over from a crash. */
const LEFTOVER_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Opens a blob store in a folder: `ab/ab12…` for each blob, `marks/`, and `unfinished/` for what is being written. A
 * blob gets its name only when its bytes are durable, so a crash never leaves an incomplete blob. Unfinished files are
 * removed when the store is opened again. With `isReader` nothing is written, so the folder may be on a read-only file
 * system, but has to exist.
 */
export async function openDiskBlobs(folder: string, { isReader = false } = {}): Promise<BlobStore> {
  const unfinished = unfinishedIn(folder)
  if (isReader) await access(folder)
  else {
    await mkdir(unfinished, { recursive: true, mode: OWNER_ONLY.folder })
    await removeLeftovers(unfinished)
  }
  const pathOf = (digest: Digest) => join(folder, digest.slice(0, 2), digest)
  const pathOfMetadata = (name: string) => join(folder, 'marks', checkMetadataName(name))

  /** Writes a file under another name, and gives it the name for its content when it is durable. */
  async function writeFile(bytes: Chunks, toPath: (stored: StoredBlob) => string): Promise<StoredBlob> {
    const path = join(unfinished, randomUUID())
    try {
      const stored = await writeDurably(path, bytes)
      await nameDurably(path, toPath(stored))
      return stored
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    async put(bytes) {
      if (bytes instanceof Uint8Array) {
        const digest = createHash('sha256').update(bytes).digest('hex') as Digest
        if (await touch(pathOf(digest))) return { digest, size: bytes.length }
      }
      return writeFile(bytes instanceof Uint8Array ? [bytes] : bytes, ({ digest }) => pathOf(digest))
    },
    async open(digest) {
      if (!isDigest(digest)) return undefined
      try {
        // This is synchronous like `has`, since handing it to another thread takes ten times as long. Only reading may
        // have to wait.
        return openBlob(openSync(pathOf(digest), 'r'))
      } catch (error) {
        if (findCode(error) === 'ENOENT') return undefined
        throw error
      }
    },
    read: async (digest) => (isDigest(digest) ? unlessMissing(readFile(pathOf(digest))) : undefined),
    // This is one call of the system, which takes a tenth of the time of handing it to another thread.
    has: async (digest) =>
      isDigest(digest) && statSync(pathOf(digest), { throwIfNoEntry: false }) !== undefined,
    size: async (digest) =>
      isDigest(digest) ? (await unlessMissing(stat(pathOf(digest))))?.size : undefined,
    async remove(digest) {
      if (isDigest(digest)) await rm(pathOf(digest), { force: true })
    },
    async removeUnlessPut(digest, before) {
      if (!isDigest(digest)) return true
      const path = pathOf(digest)
      const file = await unlessMissing(stat(path))
      if (!file) return true
      if (file.mtimeMs >= before) return false
      // The blob is moved away first: a later `put` then writes it again, and a `put` just before has changed its time.
      const aside = join(unfinished, randomUUID())
      if (!(await unlessMissing(rename(path, aside).then(() => true)))) return true
      const wasPut = (await stat(aside)).mtimeMs >= before
      await (wasPut ? rename(aside, path) : rm(aside))
      return !wasPut
    },
    list: () => listBlobs(folder),
    countUnfinished: async (before) => (await listUnfinished(unfinished, before)).length,
    checkWritable: () => probeFolder(unfinished),
    readMetadata: async (name) => unlessMissing(readFile(pathOfMetadata(name), 'utf8')),
    async listMetadata(prefix) {
      const names = (await unlessMissing(readdir(join(folder, 'marks')))) ?? []
      return names.filter((name) => name.startsWith(prefix))
    },
    async writeMetadata(name, text) {
      const path = pathOfMetadata(name)
      await writeFile([Buffer.from(text)], () => path)
    },
    removeMetadata: async (name) => rm(pathOfMetadata(name), { force: true }),
  }
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

const PART_NAME = /^[0-9a-f]{2}$/

async function* listBlobs(folder: string): AsyncGenerator<ListedBlob> {
  const parts = (await readdir(folder)).filter((name) => PART_NAME.test(name))
  for (const part of parts) {
    for await (const { name } of await opendir(join(folder, part))) {
      const file = isDigest(name) ? await unlessMissing(stat(join(folder, part, name))) : undefined
      if (file) yield { digest: name as Digest, size: file.size, putAt: file.mtimeMs }
    }
  }
}

/** Sets the time of an existing blob, so that garbage collection retains it. False when it is missing. */
async function touch(path: string): Promise<boolean> {
  const now = new Date()
  return (await unlessMissing(utimes(path, now, now).then(() => true))) ?? false
}

async function writeDurably(path: string, chunks: Chunks): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let size = 0
  await using file = await open(path, 'wx', OWNER_ONLY.file)
  for await (const chunk of chunks) {
    hash.update(chunk)
    size += chunk.length
    await file.writeFile(chunk)
  }
  await file.datasync()
  return { digest: hash.digest('hex') as Digest, size }
}

/**
 * Gives a finished file its name. The folders are synced too, so that the name survives a power failure. The store itself
 * is never made here: one that went away, such as a disk that was unmounted, must not come back empty.
 */
async function nameDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  const made = await makeFolder(folder)
  await giveToOwner([from, ...(made ? [folder] : [])], dirname(folder))
  await rename(from, to)
  await syncFolder(folder)
  if (made) await syncFolder(dirname(folder))
}

/** Makes a folder in one that exists; false when it is there. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: OWNER_ONLY.folder })
    return true
  } catch (error) {
    if (findCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Gives files that root writes to the owner of the store, so that the server can read them, as SQLite does. */
async function giveToOwner(paths: readonly string[], store: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(store)
  await Promise.all(paths.map((path) => chown(path, uid, gid)))
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // A folder cannot be opened there, and need not be synced.
  await using handle = await open(folder)
  await handle.sync()
}

/** Makes a blob of an open file, which is closed once. */
function openBlob(file: number): OpenBlob {
  const { size } = fstatSync(file)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    size,
    stream(range) {
      // The stream closes the file.
      isOpen = false
      return createReadStream('', { ...range, fd: file })
    },
    async pour(take, range = { start: 0, end: size - 1 }) {
      try {
        await pourFile(file, range, take)
      } finally {
        close()
      }
    },
    close: async () => close(),
  }
}

/**
 * Sending a megabyte in two chunks was measured to take a tenth less processor time than in four, and as much as in
 * one.
 */
const CHUNK_BYTES = 640 * 1024

const MAX_IDLE = 16

/** Buffers to be reused: new ones would have to be allocated page by page, and garbage-collected. */
const idle: Buffer[] = []

const acquireBuffer = () => idle.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)

const releaseBuffer = (buffer: Buffer) => {
  if (idle.length < MAX_IDLE) idle.push(buffer)
}

/**
 * Passes the bytes in a range of the file to `take`, in order. One of two buffers is filled while the other is being
 * taken, so memory is constant whatever the size of the file and the speed of `take`. This is twice as fast as a
 * stream.
 */
export async function pourFile(
  file: number,
  { start, end }: ByteRange,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  let reading = acquireBuffer()
  let taken: Buffer | undefined
  let taking = Promise.resolve()
  for (let position = start; position <= end; ) {
    const length = Math.min(CHUNK_BYTES, end + 1 - position)
    const bytes = readChunk(file, reading.subarray(0, length), position)
    // The file may be closed after a failure, so this waits until it has been read.
    const failure = bytes.catch(() => {})
    await taking.catch(async (error) => {
      await failure
      throw error
    })
    const bytesRead = await bytes
    if (bytesRead === 0) throw new Error(`The file ends after ${position} bytes of ${end + 1}.`)
    taking = take(reading.subarray(0, bytesRead))
    position += bytesRead
    if (position > end) break
    ;[reading, taken] = [taken ?? acquireBuffer(), reading]
  }
  await taking
  // After a failure the buffers are not released, since they may still be in use.
  releaseBuffer(reading)
  if (taken) releaseBuffer(taken)
}

/** Resolves to the number of bytes that were read. */
const readChunk = (file: number, into: Uint8Array, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(file, into, 0, into.length, position, (error, bytesRead) =>
      error ? reject(error) : resolve(bytesRead),
    )
  })

async function removeLeftovers(unfinished: string): Promise<void> {
  for (const path of await listUnfinished(unfinished, Date.now() - LEFTOVER_AFTER_MS)) {
    await rm(path, { force: true })
  }
}

/** Lists the files below `unfinished` that were last written before `before`. */
async function listUnfinished(unfinished: string, before: number): Promise<string[]> {
  const old: string[] = []
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name)
    const file = name === PROBE_NAME ? undefined : await unlessMissing(stat(path))
    if (file && file.mtimeMs < before) old.push(path)
  }
  return old
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
