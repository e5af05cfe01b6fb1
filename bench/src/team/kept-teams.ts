import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../say.ts'
import type { SyntheticTeam } from './synthetic-team.ts'

/** Where everything that can be made again is kept between runs. */
export const KEPT = join(tmpdir(), 'meadow-bench')

/** Teams that were not made anew for so long are cleared away when others are made. */
const KEPT_MS = 3 * 24 * 3600 * 1000

/** What decides how a stored team looks; a change of any of it makes teams anew. */
const MAKERS = [
  'bench/src/team/*.ts',
  'apps/server/src/platform/database/**/*.ts',
  'apps/server/src/catalogue/*.ts',
]

export interface KeptTeam {
  team: SyntheticTeam
  dataDir: string
}

export type Store = 'sqlite' | 'postgres'

/** Where what belongs to such a team is kept. */
export const keptFolder = (store: Store, documents: number): string =>
  join(KEPT, `${store}-${documents}-${makersVersion()}`)

/** The team of so many documents, made now unless an earlier run made it. */
export async function keepTeam(store: Store, documents: number, databaseUrl?: string): Promise<KeptTeam> {
  const folder = keptFolder(store, documents)
  const found = await readTeam(folder)
  if (found) return found
  await clearOldTeams()
  say(`Making a team of ${documents.toLocaleString('en')} documents in ${folder} (once)`)
  await rm(join(folder, 'data'), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const builder = fileURLToPath(new URL('build-team.ts', import.meta.url))
  const child = spawn(process.execPath, [builder, folder, String(documents)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl ?? '' },
  })
  const [code] = await once(child, 'exit')
  const made = code === 0 ? await readTeam(folder) : undefined
  if (!made) throw new Error(`The team of ${documents} documents could not be made.`)
  return made
}

async function readTeam(folder: string): Promise<KeptTeam | undefined> {
  try {
    const team = JSON.parse(await readFile(join(folder, 'team.json'), 'utf8')) as SyntheticTeam
    return { team, dataDir: join(folder, 'data') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function clearOldTeams(): Promise<void> {
  for (const name of await readdir(KEPT).catch(() => [])) {
    const { mtimeMs } = await stat(join(KEPT, name))
    if (/^(sqlite|postgres)-\d/.test(name) && Date.now() - mtimeMs > KEPT_MS) {
      await rm(join(KEPT, name), { recursive: true, force: true })
    }
  }
}

/** Changes with every change of the code that makes and stores teams. */
function makersVersion(): string {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const hash = createHash('sha256')
  for (const file of globSync(MAKERS, { cwd: root, exclude: ['**/*.test.ts'] }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 10)
}
