import type { Contender } from './contender.ts'
import { type Meadow, openMeadow } from './meadow.ts'
import { openPeers } from './peers/open-peers.ts'
import { startPostgres } from './servers/start-postgres.ts'
import { type KeptTeam, keepTeam, keptFolder } from './team/kept-teams.ts'

/** Everything that runs for a team of one size. */
export interface Stand extends AsyncDisposable {
  readonly meadow: Meadow
  /** Meadow first. */
  readonly contenders: Contender[]
}

/** Meadow on SQLite with a team of so many documents and, when asked for, on PostgreSQL, and its peers. */
export async function openStand(
  documents: number,
  { postgres, peers }: { postgres: boolean; peers: boolean },
): Promise<Stand> {
  await using opened = new AsyncDisposableStack()
  const meadow = opened.use(await openMeadow('Meadow', await keepTeam('sqlite', documents)))
  const contenders: Contender[] = [meadow]
  if (postgres) {
    const { url } = opened.use(await startPostgres(keptFolder('postgres', documents)))
    const kept: KeptTeam = await keepTeam('postgres', documents, url)
    contenders.push(opened.use(await openMeadow('Meadow on PostgreSQL', kept, url)))
    if (peers) contenders.push(...opened.use(await openPeers(kept.team, url)).contenders)
  }
  const closing = opened.move()
  return { meadow, contenders, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
