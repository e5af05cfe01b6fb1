import type { Read } from './cases.ts'
import { IN_EVERY_NAME } from './team/names.ts'
import { createRandom } from './team/random.ts'
import type { SyntheticTeam } from './team/synthetic-team.ts'

/** Searches of one sort, all different from each other where the sort allows. */
export interface SearchKind {
  name: string
  reads: Extract<Read, { kind: 'search' }>[]
}

const WANTED = 40

/** Letters that stand in no name, alone or together. */
const NOWHERE = {
  'one letter, none match': ['þ', '~', '%', '漢', '#', '@', '÷', '¿'],
  'two letters, none match': ['qz', 'xj', 'zx', 'jq', 'wq', 'vv', '%%', 'zk'],
  'three letters, none match': ['qzx', 'vvv', 'xjq', 'wqk', 'zzz', '%_%', 'kqj', 'yyx'],
}

/**
 * Words in an order in which no name has them: every three letters of the text are in one name of fifty, the text
 * itself is nowhere.
 */
const COMMON_BUT_NOWHERE = [
  'exchange nesting',
  'zone nesting',
  'schedule study',
  'prototype sun',
  'optimisation hours',
  'fabrication hours',
  'wind labelling',
  'load load',
]

/** Every sort of search that is measured: by length, by how many match, and inside folders. */
export function listSearches(team: SyntheticTeam): SearchKind[] {
  const parts = (letters: number) => partsOfNames(team.names, letters)
  const project = team.subtrees[0]!.folder
  const deep = team.subtrees.at(-1)!.folder
  const kinds: [string, string[], typeof project?][] = [
    ['without text', ['']],
    ['one letter', parts(1)],
    ['two letters', parts(2)],
    ['three letters', parts(3)],
    ['eight letters', parts(8)],
    ['whole name', team.names.slice(0, WANTED)],
    ['all match', [IN_EVERY_NAME, IN_EVERY_NAME.toUpperCase()]],
    ...Object.entries(NOWHERE).map(([name, texts]): [string, string[]] => [name, texts]),
    ['common letters, none match', COMMON_BUT_NOWHERE],
    ['in a project, without text', [''], project],
    ['in a project, one letter', parts(1), project],
    ['in a project, three letters', parts(3), project],
    ['in a project, none match', NOWHERE['three letters, none match'], project],
    ['in a small folder, one letter', parts(1), deep],
    ['in a small folder, three letters', parts(3), deep],
    ['in a small folder, none match', COMMON_BUT_NOWHERE, deep],
  ]
  return kinds.map(([name, texts, folder]) => ({
    name,
    reads: texts.map((q) => ({ kind: 'search', q, ...(folder && { folder }) })),
  }))
}

/** Different texts of so many letters, cut out of names anywhere: common and rare ones as people type them. */
function partsOfNames(names: readonly string[], letters: number): string[] {
  const random = createRandom(letters)
  const parts = new Set<string>()
  for (let tries = 0; parts.size < WANTED && tries < WANTED * 20; tries++) {
    const name = random.pick(names).toLowerCase()
    const start = random.whole(0, name.length - letters)
    const part = name.slice(start, start + letters)
    if (part.trim() === part) parts.add(part)
  }
  return [...parts]
}
