import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFolder, reportProgress } from '../harness/command.ts'
import { runNpm } from '../harness/processes.ts'
import type { Contender } from '../requests/contender.ts'
import type { Meadow } from '../requests/meadow.ts'
import { CACHE_DIR } from '../team/team-cache.ts'
import { prepareDatabase, readContents, readTeamData } from './data.ts'
import { directus } from './directus.ts'
import { jsonServer } from './json-server.ts'
import { isInstalled, nginx } from './nginx.ts'
import { createContender, type Peer } from './peer.ts'
import { plainPostgres, plainSqlite } from './plain.ts'
import { postgraphile } from './postgraphile.ts'
import { postgrest } from './postgrest.ts'

export interface Peers extends AsyncDisposable {
  readonly contenders: Contender[]
}

/** The data that the peers are created from. */
export interface PeerSources {
  sqlite: { meadow: Meadow; dataDir: string }
  postgres: { meadow: Meadow; url: string; pid: number }
}

/** Opens every peer with a build for this platform, on the data of Meadow on SQLite or PostgreSQL. */
export async function openPeers({ sqlite, postgres }: PeerSources): Promise<Peers> {
  const modules = await installPeers()
  reportProgress('Copying the team for the peers')
  await using opened = new AsyncDisposableStack()
  const { path: folder } = opened.use(await openFolder('bench-peers'))
  await prepareDatabase(postgres.url, readContents(postgres.meadow))
  const data = await readTeamData(sqlite.dataDir, readContents(sqlite.meadow))

  const contenders: Contender[] = []
  const open = async <Source>(peer: Peer<Source>, source: Source, meadow: Meadow, databasePid?: number) => {
    const started = await peer.start({ modules, folder, caches: false }, source)
    if (!started) return
    const server = opened.use(started)
    const cached = peer.canCache ? await peer.start({ modules, folder, caches: true }, source) : undefined
    if (cached) opened.use(cached)
    contenders.push(createContender(peer, { server, cached: cached ?? server }, meadow, databasePid))
  }
  for (const peer of [postgrest, postgraphile, directus, plainPostgres])
    await open(peer, postgres.url, postgres.meadow, postgres.pid)
  for (const peer of [plainSqlite, jsonServer]) await open(peer, data, sqlite.meadow)
  if (isInstalled()) await open(nginx, sqlite.meadow, sqlite.meadow)
  else reportProgress('nginx is left out, since it is not installed')
  const closing = opened.move()
  return { contenders, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

const PACKAGE = fileURLToPath(new URL('../../peers', import.meta.url))

/** Returns the `node_modules` of the peers, installed at their locked versions and cached between runs. */
async function installPeers(): Promise<string> {
  const lock = await readFile(join(PACKAGE, 'package-lock.json'))
  const folder = join(CACHE_DIR, `peers-${createHash('sha256').update(lock).digest('hex').slice(0, 10)}`)
  if (!existsSync(folder)) {
    reportProgress(`Installing the peers in ${folder} (once, about 1 GB)`)
    const unfinished = `${folder}-unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) {
      await copyFile(join(PACKAGE, name), join(unfinished, name))
    }
    await runNpm(['ci', '--ignore-scripts'], unfinished)
    await rename(unfinished, folder)
  }
  return join(folder, 'node_modules')
}
