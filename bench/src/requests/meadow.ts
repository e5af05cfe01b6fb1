import { join } from 'node:path'
import { API_PREFIX } from '@meadow/contract'
import { type MeadowServer, startMeadow } from '../harness/meadow.ts'
import type { HttpRequest } from '../harness/request.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import type { CachedTeam } from '../team/team-cache.ts'
import type { Contender, Read } from './contender.ts'
import { readMeadowFacts } from './facts.ts'

/** Names of contenders. */
export const MEADOW = 'Meadow'
export const MEADOW_ON_POSTGRESQL = 'Meadow on PostgreSQL'

/** Two Meadow servers with the same team: one with default settings, one without a response cache. */
export interface Meadow extends Contender, AsyncDisposable {
  readonly withDefaults: MeadowServer
  readonly withoutCache: MeadowServer
}

interface OpenOptions {
  /** PostgreSQL with the team; omitted: SQLite. */
  database?: { url: string; pid: number }
  /** A checkout of the project; omitted: this one. */
  root?: string
  /** Further variables for the servers. */
  env?: Record<string, string>
}

export async function openMeadow(
  name: string,
  { team, dataDir }: CachedTeam,
  { database, root, env = {} }: OpenOptions = {},
): Promise<Meadow> {
  const databaseUrl = database?.url
  const log = (name: string) => join(dataDir, '..', `${name}.log`)
  const withDefaults = await startMeadow({ root, dataDir, databaseUrl, logFile: log('defaults'), env })
  const withoutKeptAnswers = await startMeadow({
    root,
    dataDir,
    databaseUrl,
    logFile: log('without-cache'),
    cacheMb: 0,
    env,
  })
  return {
    name,
    team,
    withDefaults,
    withoutCache: withoutKeptAnswers,
    requestsFor({ reads, manner }) {
      const { host, port, pid } = manner === 'first' ? withoutKeptAnswers : withDefaults
      const requests = requestsOfReads(team, reads)
      return { host, port, pid, requests, ...(database && { databasePid: database.pid }) }
    },
    readFacts: readMeadowFacts,
    async [Symbol.asyncDispose]() {
      await Promise.all([withDefaults[Symbol.asyncDispose](), withoutKeptAnswers[Symbol.asyncDispose]()])
    },
  }
}

/** Returns the requests for reads of a team. */
export function requestsOfReads({ secret }: SyntheticTeam, reads: readonly Read[]): HttpRequest[] {
  const headers = { authorization: `Bearer ${secret}` }
  return reads.map((read) => ({ path: pathOfRead(read), headers }))
}

/** Returns the path and query of a read in Meadow's API. */
export function pathOfRead(read: Read): string {
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
