import { join } from 'node:path'
import { API_PREFIX } from '@meadow/contract'
import { type MeadowServer, startMeadow } from '../servers/start-meadow.ts'
import type { CachedTeam } from '../team/team-cache.ts'
import type { Contender, Read } from './contender.ts'

/** Two Meadow servers with the same team: one with default settings, one without a response cache. */
export interface Meadow extends Contender, AsyncDisposable {
  readonly withDefaults: MeadowServer
  readonly withoutCache: MeadowServer
}

export async function openMeadow(
  name: string,
  { team, dataDir }: CachedTeam,
  databaseUrl?: string,
): Promise<Meadow> {
  const log = (name: string) => join(dataDir, '..', `${name}.log`)
  const withDefaults = await startMeadow({ dataDir, databaseUrl, logFile: log('defaults') })
  const withoutKeptAnswers = await startMeadow({
    dataDir,
    databaseUrl,
    logFile: log('without-cache'),
    cacheMb: 0,
  })
  return {
    name,
    team,
    withDefaults,
    withoutCache: withoutKeptAnswers,
    requestsFor({ reads, manner }) {
      const { host, port, pid } = manner === 'first' ? withoutKeptAnswers : withDefaults
      const headers = { authorization: `Bearer ${team.secret}` }
      const requests = reads.map((read) => ({ path: pathOfRead(read), headers }))
      // With PostgreSQL, half of the work is done by its processes.
      return { host, port, requests, ...(databaseUrl === undefined && { pid }) }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([withDefaults[Symbol.asyncDispose](), withoutKeptAnswers[Symbol.asyncDispose]()])
    },
  }
}

/** The path and query of a read in Meadow's API. */
function pathOfRead(read: Read): string {
  switch (read.kind) {
    case 'team':
      return `${API_PREFIX}/team`
    case 'folder':
      return `${API_PREFIX}/folders/${read.folder}`
    case 'document':
      return `${API_PREFIX}/documents/${read.document}`
    case 'search': {
      const query = new URLSearchParams({
        ...(read.q && { q: read.q }),
        ...(read.folder && { folderId: read.folder }),
      })
      return `${API_PREFIX}/documents${query.size > 0 ? `?${query}` : ''}`
    }
  }
}
