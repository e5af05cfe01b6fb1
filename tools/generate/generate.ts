import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Contract } from '@meadow/contract/description'
import type { Output } from './output.ts'

/** An output whose file is not up to date. */
interface Stale {
  file: string
  text: string
}

/**
 * An output that cannot be written, because the code that it is made from needs something that the contract does not
 * have.
 */
interface Failed {
  file: string
  reason: string
}

/** Finds the outputs whose files below `root` do not match the contract, and those that cannot be written. */
export async function findStale(
  root: string,
  contract: Contract,
  outputs: readonly Output[],
): Promise<{ stale: Stale[]; failed: Failed[] }> {
  const stale: Stale[] = []
  const failed: Failed[] = []
  for (const { file, write } of outputs) {
    const current = readText(join(root, file))
    try {
      const text = await write(contract, current)
      if (text !== current) stale.push({ file, text })
    } catch (error) {
      failed.push({ file, reason: (error as Error).message })
    }
  }
  return { stale, failed }
}

export function writeFiles(root: string, files: readonly Stale[]): void {
  for (const { file, text } of files) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** Reads the text of a file, which is empty when there is none. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
