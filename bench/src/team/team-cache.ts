import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportProgress } from '../harness/command.ts'
import { ROOT } from '../harness/meadow.ts'
import { runToEnd } from '../harness/processes.ts'
import type { SyntheticTeam } from './synthetic-team.ts'

/** The folder for everything that is cached between runs. */
export const CACHE_DIR = join(tmpdir(), 'meadow-bench')

/** The age in milliseconds from which teams are removed when another one is created. */
const MAX_AGE_MS = 3 * 24 * 3600 * 1000

/** The code that creates and stores teams. A change invalidates the cache. */
const SOURCES = [
  'bench/src/team/*.ts',
  'apps/server/src/platform/database/**/*.ts',
  'apps/server/src/library/*.ts',
  'apps/server/src/team/*.ts',
]

export interface CachedTeam {
  team: SyntheticTeam
  dataDir: string
}

export type Store = 'sqlite' | 'postgres'

/** Returns the folder of a team of this size. */
export const cacheFolder = (store: Store, documents: number): string =>
  join(CACHE_DIR, `${store}-${documents}-${sourcesVersion()}`)

/** Opens the cached team of this size, which is created if necessary. */
export async function openCachedTeam(
  store: Store,
  documents: number,
  databaseUrl?: string,
): Promise<CachedTeam> {
  const folder = cacheFolder(store, documents)
  const cached = await readTeam(folder)
  if (cached) return cached
  await removeOldTeams()
  reportProgress(`Creating a team of ${documents.toLocaleString('en')} documents in ${folder} (once)`)
  await rm(join(folder, 'data'), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const builder = fileURLToPath(new URL('build-team.ts', import.meta.url))
  await runToEnd(process.execPath, [builder, folder, String(documents)], {
    env: { ...process.env, DATABASE_URL: databaseUrl ?? '' },
  })
  return (await readTeam(folder))!
}

async function readTeam(folder: string): Promise<CachedTeam | undefined> {
  try {
    const team = JSON.parse(await readFile(join(folder, 'team.json'), 'utf8')) as SyntheticTeam
    return { team, dataDir: join(folder, 'data') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function removeOldTeams(): Promise<void> {
  for (const name of await readdir(CACHE_DIR).catch(() => [])) {
    const { mtimeMs } = await stat(join(CACHE_DIR, name))
    if (/^(sqlite|postgres)-\d/.test(name) && Date.now() - mtimeMs > MAX_AGE_MS) {
      await rm(join(CACHE_DIR, name), { recursive: true, force: true })
    }
  }
}

/** Returns a hash of {@link SOURCES}. */
function sourcesVersion(): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts'] }).sort()) {
    hash.update(file).update(readFileSync(join(ROOT, file)))
  }
  return hash.digest('hex').slice(0, 10)
}
