import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** The data folder that the first version of Meadow (commit dc8ba78) left after an import, and what its API responded. */
interface FirstVersion {
  /** Of an API token. */
  secret: string
  /** By their paths: in base64. */
  files: Record<string, string>
  /** The bodies, by paths relative to the prefix of the API. */
  responses: Record<string, object>
}

/** Writes the data folder of the first version into an empty folder. */
export async function writeFirstVersion(folder: string): Promise<Omit<FirstVersion, 'files'>> {
  const packed = await readFile(new URL('first-version.json.br', import.meta.url))
  const { files, ...known }: FirstVersion = JSON.parse(brotliDecompressSync(packed).toString())
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), Buffer.from(content, 'base64'))
  }
  return known
}
