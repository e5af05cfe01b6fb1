import type { DocumentId, FolderId } from '@meadow/contract'
import { listSearches } from './searches.ts'
import type { SyntheticTeam } from './team/synthetic-team.ts'

/** What is asked, whoever answers. */
export type Read =
  | { kind: 'team' }
  | { kind: 'folder'; folder: FolderId }
  | { kind: 'document'; document: DocumentId }
  | { kind: 'search'; q: string; folder?: FolderId }

/** Reads whose time is taken together. */
export interface Case {
  name: string
  reads: readonly Read[]
  /**
   * `repeated`: the same answer over and over, as when many look at one thing; kept bodies help.
   * `first`: the server keeps no answers, so each read is made from the store.
   * `unchanged`: the caller has the answer already and is told so with 304.
   */
  manner: 'repeated' | 'first' | 'unchanged'
  /** Left out: only at the largest team, since the team's size has no part in it. */
  atEverySize?: true
  /** The share of the bare server's speed that is aimed at. */
  aim?: number
}

/** Every case of a team. The names are what `--case` takes. */
export function listCases(team: SyntheticTeam): Case[] {
  const folders = team.typicalFolders.map((folder): Read => ({ kind: 'folder', folder }))
  const small = team.smallDocuments.map((document): Read => ({ kind: 'document', document }))
  const large = team.largeDocuments.map((document): Read => ({ kind: 'document', document }))
  const one = (reads: Read[]) => reads.slice(0, 1)
  const teamReads: Read[] = [{ kind: 'team' }]
  return [
    { name: 'team', reads: teamReads, manner: 'repeated' },
    { name: 'folder', reads: one(folders), manner: 'repeated', aim: 0.85, atEverySize: true },
    { name: 'document 5 KB', reads: one(small), manner: 'repeated', aim: 0.85 },
    { name: 'document 1 MB', reads: one(large), manner: 'repeated', aim: 0.85 },
    { name: 'search', reads: [{ kind: 'search', q: 'fac' }], manner: 'repeated' },
    { name: 'team, first', reads: teamReads, manner: 'first' },
    { name: 'folder, first', reads: folders, manner: 'first', aim: 0.35, atEverySize: true },
    { name: 'document 5 KB, first', reads: small, manner: 'first', aim: 0.35, atEverySize: true },
    { name: 'document 1 MB, first', reads: large, manner: 'first', aim: 0.35, atEverySize: true },
    { name: 'team, 304', reads: teamReads, manner: 'unchanged', aim: 0.85 },
    { name: 'folder, 304', reads: one(folders), manner: 'unchanged', aim: 0.85 },
    { name: 'document 5 KB, 304', reads: one(small), manner: 'unchanged', aim: 0.85 },
    { name: 'document 1 MB, 304', reads: one(large), manner: 'unchanged', aim: 0.85 },
    ...listSearches(team).map(
      ({ name, reads }): Case => ({ name: `search ${name}`, reads, manner: 'first' }),
    ),
  ]
}
