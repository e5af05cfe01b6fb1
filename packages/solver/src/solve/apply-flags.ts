import type { Port } from '@meadow/contract'
import { BRANCH_BYTES, reserveValues } from '../budget/budget.ts'
import { flatten, graft, reverse, simplify } from '../tree/structure.ts'
import { countValues, type Tree } from '../tree/tree.ts'

/** What the switches of a port do to its data, one after the other (rule F-1). */
export function applyFlags<T>(tree: Tree<T>, flags: Port['flags']): Tree<T> {
  if (flags.length === 0) return tree
  let changed = tree
  if (flags.includes('flatten')) changed = flatten(changed)
  if (flags.includes('graft')) {
    reserveValues(countValues(changed), BRANCH_BYTES)
    changed = graft(changed)
  }
  if (flags.includes('simplify')) changed = simplify(changed)
  if (flags.includes('reverse')) changed = reverse(changed)
  return changed
}
