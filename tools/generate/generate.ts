import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Contract } from '@meadow/contract/description'
import type { Output } from './output.ts'

/** An output whose file has another text than it should. */
interface Stale {
  file: string
  text: string
}

/** The outputs whose files below `root` are not what follows from the contract. */
export async function findStale(
  root: string,
  contract: Contract,
  outputs: readonly Output[],
): Promise<Stale[]> {
  const stale: Stale[] = []
  for (const { file, write } of outputs) {
    const current = readText(join(root, file))
    const text = await write(contract, current)
    if (text !== current) stale.push({ file, text })
  }
  return stale
}

export function writeFiles(root: string, files: readonly Stale[]): void {
  for (const { file, text } of files) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** The text of a file; empty when there is none. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
