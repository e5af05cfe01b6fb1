import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpRequest } from '../load/request.ts'
import type { Contender, Read } from '../requests/contender.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { reportProgress } from '../shared/progress.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import { CACHE_DIR } from '../team/team-cache.ts'
import { postgraphileRequest, startPostgraphile } from './postgraphile.ts'
import { postgrestRequest, startPostgrest } from './postgrest.ts'
import { prepareDatabase } from './prepare-database.ts'

export interface Peers extends AsyncDisposable {
  readonly contenders: Contender[]
}

/** PostGraphile and, where npm has a build for this platform, PostgREST, on the database of a team. */
export async function openPeers(team: SyntheticTeam, databaseUrl: string): Promise<Peers> {
  const modules = await installPeers()
  await prepareDatabase(databaseUrl)
  await using opened = new AsyncDisposableStack()
  const contenders: Contender[] = []
  const postgrest = await startPostgrest(modules, databaseUrl)
  if (postgrest) contenders.push(createContender('PostgREST', team, opened.use(postgrest), postgrestRequest))
  const postgraphile = opened.use(await startPostgraphile(modules, databaseUrl))
  contenders.push(createContender('PostGraphile', team, postgraphile, postgraphileRequest))
  const closing = opened.move()
  return { contenders, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

const createContender = (
  name: string,
  team: SyntheticTeam,
  { host, port }: ServerProcess,
  requestOf: (read: Read) => HttpRequest | undefined,
): Contender => ({
  name,
  team,
  requestsFor({ reads, manner }) {
    const requests = reads.map(requestOf)
    if (manner === 'unchanged' || requests.includes(undefined)) return undefined
    return { host, port, requests: requests as HttpRequest[] }
  },
})

const PACKAGE = fileURLToPath(new URL('../../peers', import.meta.url))

/** The `node_modules` of the peers, installed at their locked versions and cached between runs. */
async function installPeers(): Promise<string> {
  const lock = await readFile(join(PACKAGE, 'package-lock.json'))
  const folder = join(CACHE_DIR, `peers-${createHash('sha256').update(lock).digest('hex').slice(0, 10)}`)
  if (!existsSync(folder)) {
    reportProgress(`Installing the peers in ${folder} (once, about 320 MB)`)
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

async function runNpm(args: string[], cwd: string): Promise<void> {
  // Prefers the npm that runs this script.
  const npm = process.env.npm_execpath
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  const child = spawn(command, [...before, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The peers could not be installed.')
}
