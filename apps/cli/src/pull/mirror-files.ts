import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FORMATS, type Format } from './formats.ts'
import { refuseLinks } from './refuse-links.ts'
import type { PulledDocument, PulledFile } from './state.ts'

/** The files of a mirror, by the base of a document and the format. */
export interface MirrorFiles {
  /** The path of a file, whose folder is made. */
  prepare(base: string, format: Format): Promise<string>
  /** Writes a file completely or not at all. */
  write(base: string, format: Format, content: string | Uint8Array): Promise<PulledFile>
  /** Whether the file is there as it was written; with `verify` its digest is compared, otherwise its size. */
  isIntact(base: string, format: Format, file: PulledFile | undefined): Promise<boolean>
  remove(base: string, formats: readonly string[]): Promise<void>
  /** Moves the files of documents to their new places, which may be old places of others of them. */
  move(moves: readonly Move[]): Promise<void>
}

export interface Move {
  id: string
  from: PulledDocument
  /** The new base. */
  to: string
}

export function createMirrorFiles(
  folder: string,
  movingFolder: string,
  { verify }: { verify: boolean },
): MirrorFiles {
  const pathOf = (base: string, format: Format) => join(folder, `${base}${FORMATS[format].ending}`)

  /** Removes folders that are empty now, up to that of the mirror. */
  async function removeEmpty(path: string): Promise<void> {
    for (let parent = dirname(path); parent.length > folder.length; parent = dirname(parent)) {
      try {
        await rmdir(parent)
      } catch {
        return
      }
    }
  }

  async function prepareFolder(path: string): Promise<void> {
    await refuseLinks(folder, dirname(path))
    await mkdir(dirname(path), { recursive: true })
  }

  async function prepare(base: string, format: Format): Promise<string> {
    const path = pathOf(base, format)
    await prepareFolder(path)
    return path
  }

  return {
    prepare,
    async write(base, format, content) {
      const path = await prepare(base, format)
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const unfinished = join(dirname(path), `.${randomUUID()}.part`)
      try {
        await writeFile(unfinished, bytes, { flag: 'wx' })
        await rename(unfinished, path)
      } finally {
        await rm(unfinished, { force: true })
      }
      return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    },
    async isIntact(base, format, file) {
      const path = pathOf(base, format)
      const facts = file && (await lstat(path).catch(() => undefined))
      if (!facts?.isFile() || facts.size !== file!.size) return false
      return !verify || (await digestOf(path)) === file!.sha256
    },
    async remove(base, formats) {
      await refuseLinks(folder, dirname(pathOf(base, 'json')))
      for (const format of formats) await rm(pathOf(base, format as Format), { force: true })
      await removeEmpty(pathOf(base, 'json'))
    },
    async move(moves) {
      if (moves.length === 0) return
      await mkdir(movingFolder, { recursive: true })
      const steps = moves.flatMap(({ from, to }, index) =>
        Object.keys(from.files).map((format) => ({
          from: pathOf(from.base, format as Format),
          by: join(movingFolder, `${index}-${basename(FORMATS[format as Format].ending)}`),
          to: pathOf(to, format as Format),
        })),
      )
      for (const { from, to } of steps)
        for (const path of [from, to]) await refuseLinks(folder, dirname(path))
      // A file that is not there is written anew later.
      for (const { from, by } of steps) await rename(from, by).catch(() => {})
      for (const { by, to } of steps) {
        await prepareFolder(to)
        await rename(by, to).catch(() => {})
      }
      for (const { from } of steps) await removeEmpty(from)
    },
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
