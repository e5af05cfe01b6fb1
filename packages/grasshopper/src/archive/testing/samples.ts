import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Sample {
  name: string
  bytes: Uint8Array
}

const FOLDER = join(import.meta.dirname, '../../../../../../shared/samples')

/** Real files in a folder beside the project, which only some machines have. */
export function listSamples(...extensions: string[]): Sample[] {
  return globSync(`**/*.{${extensions.join(',')},}`, { cwd: FOLDER })
    .sort()
    .map((path) => ({ name: basename(path), bytes: new Uint8Array(readFileSync(join(FOLDER, path))) }))
}

/** The `skip` of a test without files to read. */
export const NO_SAMPLES: string | false =
  listSamples('gh').length === 0 && 'there are no sample files on this machine'
