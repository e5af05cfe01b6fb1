import { join } from 'node:path'
import { API_PREFIX } from '@meadow/contract'
import type { Read } from './cases.ts'
import type { Contender } from './contender.ts'
import { type MeadowServer, startMeadow } from './servers/start-meadow.ts'
import type { KeptTeam } from './team/kept-teams.ts'

/** Meadow with one team, as people run it and, beside it, without kept answers. */
export interface Meadow extends Contender, AsyncDisposable {
  readonly withDefaults: MeadowServer
  readonly withoutKeptAnswers: MeadowServer
}

export async function openMeadow(
  name: string,
  { team, dataDir }: KeptTeam,
  databaseUrl?: string,
): Promise<Meadow> {
  const log = (of: string) => join(dataDir, '..', `${of}.log`)
  const withDefaults = await startMeadow({ dataDir, databaseUrl, logFile: log('defaults') })
  const withoutKeptAnswers = await startMeadow({
    dataDir,
    databaseUrl,
    logFile: log('without-kept-answers'),
    cacheMb: 0,
  })
  return {
    name,
    team,
    withDefaults,
    withoutKeptAnswers,
    ask({ reads, manner }) {
      const { host, port, pid } = manner === 'first' ? withoutKeptAnswers : withDefaults
      const headers = { authorization: `Bearer ${team.secret}` }
      const requests = reads.map((read) => ({ path: pathOfRead(read), headers }))
      // On PostgreSQL half of the work is done by its processes.
      return { host, port, requests, ...(databaseUrl === undefined && { pid }) }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([withDefaults[Symbol.asyncDispose](), withoutKeptAnswers[Symbol.asyncDispose]()])
    },
  }
}

/** The path and query of a read in our own API. */
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
