import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SAMPLES = fileURLToPath(new URL('../../../../../shared/samples/', import.meta.url))

export const skipWithoutSamples = existsSync(SAMPLES) ? false : 'no sample files beside the project'

/** Real .3dm files, read one at a time; none if the folder is missing. */
export function* readSampleModels(): Generator<{ name: string; bytes: Buffer }> {
  if (!existsSync(SAMPLES)) return
  for (const path of globSync('**/*.3dm', { cwd: SAMPLES })) {
    yield { name: basename(path), bytes: readFileSync(join(SAMPLES, path)) }
  }
}
