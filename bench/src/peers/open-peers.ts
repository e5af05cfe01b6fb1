import type { Read } from '../cases.ts'
import type { Contender } from '../contender.ts'
import type { HttpRequest } from '../load/request.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import { installPeers } from './install-peers.ts'
import { postgraphileRequest, startPostgraphile } from './postgraphile.ts'
import { postgrestRequest, startPostgrest } from './postgrest.ts'
import { prepareDatabase } from './prepare-database.ts'

export interface Peers extends AsyncDisposable {
  readonly contenders: Contender[]
}

/** PostgREST, where there is one for this machine, and PostGraphile, on the database that holds the team. */
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
  ask({ reads, manner }) {
    const requests = reads.map(requestOf)
    if (manner === 'unchanged' || requests.includes(undefined)) return undefined
    return { host, port, requests: requests as HttpRequest[] }
  },
})
