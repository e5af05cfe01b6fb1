import type { SyntheticTeam } from '../team/synthetic-team.ts'
import type { Case, Read } from './contender.ts'
import { listSearches } from './searches.ts'

/** All cases for a team. `--case` selects by these names. */
export function listCases(team: SyntheticTeam): Case[] {
  const folders = team.typicalFolders.map((folder): Read => ({ kind: 'folder', folder }))
  const small = team.smallDocuments.map((document): Read => ({ kind: 'document', document }))
  const large = team.largeDocuments.map((document): Read => ({ kind: 'document', document }))
  const one = (reads: Read[]) => reads.slice(0, 1)
  const teamReads: Read[] = [{ kind: 'team' }]
  return [
    { name: 'team', reads: teamReads, manner: 'repeated', aim: 0.9 },
    { name: 'folder', reads: one(folders), manner: 'repeated', aim: 0.9, atEverySize: true },
    { name: 'document 5 KB', reads: one(small), manner: 'repeated', aim: 0.9 },
    { name: 'document 1 MB', reads: one(large), manner: 'repeated', aim: 0.9 },
    { name: 'search', reads: [{ kind: 'search', q: 'fac' }], manner: 'repeated' },
    { name: 'team, first', reads: teamReads, manner: 'first' },
    { name: 'folder, first', reads: folders, manner: 'first', aim: 0.35, atEverySize: true },
    { name: 'document 5 KB, first', reads: small, manner: 'first', aim: 0.35, atEverySize: true },
    { name: 'document 1 MB, first', reads: large, manner: 'first', aim: 0.5, atEverySize: true },
    { name: 'team, 304', reads: teamReads, manner: 'unchanged', aim: 0.9 },
    { name: 'folder, 304', reads: one(folders), manner: 'unchanged', aim: 0.9 },
    { name: 'document 5 KB, 304', reads: one(small), manner: 'unchanged', aim: 0.9 },
    { name: 'document 1 MB, 304', reads: one(large), manner: 'unchanged', aim: 0.9 },
    ...listSearches(team).map(
      ({ name, reads }): Case => ({ name: `search ${name}`, reads, manner: 'first' }),
    ),
  ]
}
