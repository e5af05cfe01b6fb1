import { walkDefinitions } from './walk-definitions.ts'

/** How many definitions are below a folder, for a progress bar. */
export async function countDefinitions(root: string, signal: AbortSignal): Promise<number> {
  let count = 0
  for await (const found of walkDefinitions(root)) {
    if (signal.aborted) break
    if (found.kind === 'definition') count++
  }
  return count
}
