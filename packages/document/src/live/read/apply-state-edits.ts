import type { Node } from '@meadow/contract'
import type { Edit } from '../facts/fact.ts'
import type { NodeFact } from '../facts/node-facts.ts'

/** What a special kind of node keeps: what was born with it in its place, the rest after it in the order of names. */
export function applyStateEdits(born: Node['state'], edits: readonly Edit<NodeFact>[]): Node['state'] {
  const edited = edits.filter(({ name }) => name === 'state')
  if (!born || edited.length === 0) return born
  const state = { ...born }
  for (const { ids, value } of edited) {
    if (value === null) delete state[ids[0]!]
    else state[ids[0]!] = value
  }
  return state
}
