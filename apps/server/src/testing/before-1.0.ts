import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deserialize } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'
import { atEnd, type TestScope } from './at-end.ts'
import { createQuickFolder } from './quick-folder.ts'

/**
 * A data folder that the last Meadow before 1.0 made, with tables of version 43, and what its API responded: a team, a
 * person, a token, an imported document with a named version, its solution, and what the audit log recorded of that.
 */
interface Former {
  token: string
  responses: Record<string, { status: number; body: string }>
  files: Record<string, Uint8Array>
}

export async function unpackFormer(t: TestScope): Promise<Former & { dataDir: string }> {
  const packed = await readFile(new URL('before-1.0.br', import.meta.url))
  const former = deserialize(brotliDecompressSync(packed)) as Former
  const dataDir = await createQuickFolder('meadow-test-')
  atEnd(t, () => rm(dataDir, { recursive: true }))
  for (const [path, bytes] of Object.entries(former.files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true })
    await writeFile(join(dataDir, path), bytes)
  }
  return { ...former, dataDir }
}
