import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atEnd, type TestScope } from './at-end.ts'
import { createQuickFolder } from './quick-folder.ts'

/** A temporary folder with these files. */
export async function createFolder(
  t: TestScope,
  files: Record<string, string | Uint8Array> = {},
): Promise<string> {
  const root = await createQuickFolder('meadow-folder-')
  atEnd(t, () => rm(root, { recursive: true }))
  for (const [path, content] of Object.entries(files)) await putFile(root, path, content)
  return root
}

/** Long enough ago that a file's time proves that it is unchanged. */
export const LONG_AGO = Date.UTC(2024, 2, 1)

export async function putFile(
  root: string,
  path: string,
  content: string | Uint8Array,
  mtimeMs = LONG_AGO,
): Promise<void> {
  const absolute = join(root, path)
  await mkdir(dirname(absolute), { recursive: true })
  await writeFile(absolute, content)
  await utimes(absolute, mtimeMs / 1000, mtimeMs / 1000)
}
