import type { Kind } from '../declaration/define-kind.ts'
import { ITEM_KINDS } from './items.ts'
import { MATCHING_KINDS } from './list-matching.ts'
import { LIST_KINDS } from './lists.ts'
import { RANDOM } from './random.ts'
import { SELECTIONS } from './selections.ts'
import { SEQUENCES } from './sequences.ts'
import { SET_TESTS } from './set-tests.ts'
import { SET_LOGIC, SET_OPERATIONS } from './sets.ts'
import { FIND_SIMILAR } from './similar.ts'

export const SET_KINDS: readonly Kind[] = [
  ...ITEM_KINDS,
  ...LIST_KINDS,
  ...MATCHING_KINDS,
  ...SELECTIONS,
  ...SEQUENCES,
  RANDOM,
  ...SET_OPERATIONS,
  ...SET_LOGIC,
  ...SET_TESTS,
  FIND_SIMILAR,
]
