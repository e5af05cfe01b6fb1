import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnswerCache, CachedAnswer } from '../api/cache.ts'

export interface FileCacheOptions {
  /** The maximum size of all files together: 512 MB unless given. The most recently used files are kept. */
  maxBytes?: number
}

/**
 * Keeps answers in a folder, for programs that are started again and again, even several at a time. Only the owner of
 * the folder can read it and its files.
 */
export function createFileCache(
  folder: string,
  { maxBytes = 512 * 1024 * 1024 }: FileCacheOptions = {},
): AnswerCache {
  const fileOf = (address: string) =>
    join(folder, `${createHash('sha256').update(address).digest('hex')}.answer`)
  let bytes: number | undefined

  async function removeOldest(): Promise<number> {
    const files = await listFiles(folder)
    let left = files.reduce((sum, { size }) => sum + size, 0)
    if (left <= maxBytes) return left
    for (const { path, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      // Some room is left, so that not every answer lists the folder again.
      if (left <= 0.9 * maxBytes) break
      await rm(path, { force: true })
      left -= size
    }
    return left
  }

  return {
    async get(address) {
      const path = fileOf(address)
      const answer = readAnswer(address, await readFile(path, 'utf8').catch(() => undefined))
      // Another process may have removed the file just now.
      if (answer) await utimes(path, new Date(), new Date()).catch(() => {})
      return answer
    },
    async set(address, { tag, body }) {
      const text = `${JSON.stringify({ address, tag, length: body.length })}\n${body}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = join(folder, `${randomUUID()}.new`)
      try {
        await writeFile(unfinished, text, { mode: 0o600 })
        await rename(unfinished, fileOf(address))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      // The first answer counts the existing files, of which it is one by then.
      bytes = bytes === undefined ? await removeOldest() : bytes + Buffer.byteLength(text)
      if (bytes > maxBytes) bytes = await removeOldest()
    },
  }
}

/** Parses a cached answer; undefined for a file that the cache did not write, or that was cut short. */
function readAnswer(address: string, text: string | undefined): CachedAnswer | undefined {
  const end = text?.indexOf('\n') ?? -1
  if (end === -1) return undefined
  try {
    const head = JSON.parse(text!.slice(0, end)) as { address: string; tag: string; length: number }
    const body = text!.slice(end + 1)
    return head.address === address && head.length === body.length ? { tag: head.tag, body } : undefined
  } catch {
    return undefined
  }
}

async function listFiles(folder: string): Promise<{ path: string; size: number; usedAt: number }[]> {
  const names = (await readdir(folder)).filter((name) => /\.(answer|new)$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      return found && { path, size: found.size, usedAt: found.mtimeMs }
    }),
  )
  return files.filter((file) => file !== undefined)
}
