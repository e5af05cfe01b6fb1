import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandFailure } from '@meadow/command'
import { FORMATS, type Format } from './formats.ts'
import { refuseLinks } from './refuse-links.ts'
import type { PulledDocument, PulledFile } from './state.ts'

/** The files of a mirror, by the base of a document and the format. */
export interface MirrorFiles {
  /** Whether anything exists at the place of the file. */
  exists(base: string, format: Format): Promise<boolean>
  /**
   * Writes a file completely or not at all. An existing file that is not `isOurs` stays: unless it has the same
   * content, this is an error.
   */
  write(base: string, format: Format, content: string | Uint8Array, isOurs: boolean): Promise<PulledFile>
  /** Places a file that `fill` writes, in the same way as `write`. The file has this digest. */
  place(
    base: string,
    format: Format,
    sha256: string,
    isOurs: boolean,
    fill: (unfinished: string) => Promise<unknown>,
  ): Promise<void>
  /** Whether the file is as it was written; with `verify` its digest is compared, otherwise its size. */
  isIntact(base: string, format: Format, file: PulledFile | undefined): Promise<boolean>
  remove(base: string, formats: readonly string[]): Promise<void>
  /**
   * Moves the files of documents to their new places, which may be old places of others of them. Returns the files that
   * did not get their places, since a file that does not belong to the mirror is there.
   */
  move(moves: readonly Move[]): Promise<{ id: string; format: Format }[]>
}

export interface Move {
  id: string
  from: PulledDocument
  /** The new base. */
  to: string
}

export function createMirrorFiles(
  folder: string,
  { movingFolder, unfinishedFolder }: { movingFolder: string; unfinishedFolder: string },
  { verify }: { verify: boolean },
): MirrorFiles {
  const pathOf = (base: string, format: Format) => join(folder, `${base}${FORMATS[format].ending}`)

  /** Removes folders that have become empty, up to the folder of the mirror. */
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

  /** A pull that is killed leaves unfinished files in the folder of the state, where the next one continues them. */
  const place: MirrorFiles['place'] = async (base, format, sha256, isOurs, fill) => {
    const path = pathOf(base, format)
    await refuseLinks(folder, dirname(path))
    if (!isOurs && (await exists(path))) return checkSame(path, sha256)
    const unfinished = join(unfinishedFolder, digest(Buffer.from(path.slice(folder.length))))
    await refuseLinks(folder, unfinished)
    await mkdir(unfinishedFolder, { recursive: true })
    await fill(unfinished)
    await prepareFolder(path)
    await rename(unfinished, path)
  }

  return {
    exists: (base, format) => exists(pathOf(base, format)),
    place,
    async write(base, format, content, isOurs) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const sha256 = digest(bytes)
      await place(base, format, sha256, isOurs, (unfinished) => writeFile(unfinished, bytes))
      return { size: bytes.length, sha256 }
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
      if (moves.length === 0) return []
      await mkdir(movingFolder, { recursive: true })
      const steps = moves.flatMap(({ id, from, to }, index) =>
        Object.keys(from.files).map((format) => ({
          ...{ id, format: format as Format, isBegun: from.movingTo === to },
          from: pathOf(from.base, format as Format),
          by: join(movingFolder, `${index}-${basename(FORMATS[format as Format].ending)}`),
          to: pathOf(to, format as Format),
        })),
      )
      for (const { from, to } of steps)
        for (const path of [from, to]) await refuseLinks(folder, dirname(path))
      // A file that does not exist is written again later.
      for (const { from, by } of steps) await rename(from, by).catch(() => {})
      const kept: { id: string; format: Format }[] = []
      for (const { id, format, isBegun, by, to } of steps) {
        if (!isBegun && (await exists(to))) {
          kept.push({ id, format })
          continue
        }
        await prepareFolder(to)
        await rename(by, to).catch(() => {})
      }
      for (const { from } of steps) await removeEmpty(from)
      return kept
    },
  }
}

/** Fails when the existing file does not have this digest. */
async function checkSame(path: string, sha256: string): Promise<void> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile()
  if (isFile && (await digestOf(path)) === sha256) return
  throw new CommandFailure(
    `"${path}" is there already, and is no file of this mirror: move it away, or pull into another folder.`,
  )
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
