import { createRandom } from '@meadow/server/src/testing/random.ts'
import { IN_EVERY_NAME } from '../team/names.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import type { Case, Read } from './contender.ts'

/** Lists all cases for a team. `--case` selects by these names. */
export function listCases(team: SyntheticTeam): Case[] {
  const folders = team.typicalFolders.map((folder): Read => ({ kind: 'folder', folder }))
  const small = team.smallDocuments.map((document): Read => ({ kind: 'document', document }))
  const large = team.largeDocuments.map((document): Read => ({ kind: 'document', document }))
  const one = (reads: Read[]) => reads.slice(0, 1)
  const teamReads: Read[] = [{ kind: 'team' }]
  return [
    { name: 'team', reads: teamReads, manner: 'repeated', aim: 0.95 },
    { name: 'folder', reads: one(folders), manner: 'repeated', aim: 0.95, atEverySize: true },
    { name: 'document 5 KB', reads: one(small), manner: 'repeated', aim: 0.95 },
    { name: 'document 1 MB', reads: one(large), manner: 'repeated', aim: 0.9 },
    { name: 'search', reads: [{ kind: 'search', q: 'fac' }], manner: 'repeated' },
    { name: 'team, first', reads: teamReads, manner: 'first' },
    { name: 'folder, first', reads: folders, manner: 'first', aim: 0.35, atEverySize: true },
    { name: 'document 5 KB, first', reads: small, manner: 'first', aim: 0.45, atEverySize: true },
    { name: 'document 1 MB, first', reads: large, manner: 'first', aim: 0.75, atEverySize: true },
    { name: 'team, 304', reads: teamReads, manner: 'unchanged', aim: 0.95 },
    { name: 'folder, 304', reads: one(folders), manner: 'unchanged', aim: 0.95 },
    { name: 'document 5 KB, 304', reads: one(small), manner: 'unchanged', aim: 0.95 },
    { name: 'document 1 MB, 304', reads: one(large), manner: 'unchanged', aim: 0.95 },
    ...listSearches(team).map(
      ({ name, reads }): Case => ({ name: `search ${name}`, reads, manner: 'first' }),
    ),
  ]
}

/** Searches of one kind, with different texts. */
export interface SearchKind {
  name: string
  reads: Extract<Read, { kind: 'search' }>[]
}

const TEXTS = 40

/** Texts that no name contains. */
const UNMATCHED = {
  'one letter, none match': ['þ', '~', '%', '漢', '#', '@', '÷', '¿'],
  'two letters, none match': ['qz', 'xj', 'zx', 'jq', 'wq', 'vv', '%%', 'zk'],
  'three letters, none match': ['qzx', 'vvv', 'xjq', 'wqk', 'zzz', '%_%', 'kqj', 'yyx'],
}

/**
 * Words in an order that no name has. All three-character parts of such a text are in at least one name of fifty, but
 * the whole text is in no name.
 */
const COMMON_BUT_UNMATCHED = [
  'exchange nesting',
  'zone nesting',
  'schedule study',
  'prototype sun',
  'optimisation hours',
  'fabrication hours',
  'wind labelling',
  'load load',
]

/** Lists all kinds of searches: by length, by the number of matches, and inside folders. */
export function listSearches(team: SyntheticTeam): SearchKind[] {
  const parts = (length: number) => partsOfNames(team.names, length)
  const project = team.subtrees[0]!.folder
  const deep = team.subtrees.at(-1)!.folder
  const kinds: [string, string[], typeof project?][] = [
    ['without text', ['']],
    ['one letter', parts(1)],
    ['two letters', parts(2)],
    ['three letters', parts(3)],
    ['eight letters', parts(8)],
    ['whole name', team.names.slice(0, TEXTS)],
    ['all match', [IN_EVERY_NAME, IN_EVERY_NAME.toUpperCase()]],
    ...Object.entries(UNMATCHED).map(([name, texts]): [string, string[]] => [name, texts]),
    ['common letters, none match', COMMON_BUT_UNMATCHED],
    ['in a project, without text', [''], project],
    ['in a project, one letter', parts(1), project],
    ['in a project, three letters', parts(3), project],
    ['in a project, none match', UNMATCHED['three letters, none match'], project],
    ['in a small folder, one letter', parts(1), deep],
    ['in a small folder, three letters', parts(3), deep],
    ['in a small folder, none match', COMMON_BUT_UNMATCHED, deep],
  ]
  return kinds.map(([name, texts, folder]) => ({
    name,
    reads: texts.map((q) => ({ kind: 'search', q, ...(folder && { folder }) })),
  }))
}

/** Returns different texts of a length, cut out of names at random positions. */
function partsOfNames(names: readonly string[], length: number): string[] {
  const random = createRandom(length)
  const parts = new Set<string>()
  for (let tries = 0; parts.size < TEXTS && tries < TEXTS * 20; tries++) {
    const name = random.pick(names).toLowerCase()
    const start = random.whole(0, name.length - length)
    const part = name.slice(start, start + length)
    if (part.trim() === part) parts.add(part)
  }
  return [...parts]
}
