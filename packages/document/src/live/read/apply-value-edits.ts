import type { DataTree } from '@meadow/contract'
import { createRecord } from '../../record.ts'
import type { Edit } from '../facts/fact.ts'
import type { NodeFact } from '../facts/node-facts.ts'
import { inPortOrder } from './in-port-order.ts'

/** The values, those that were there in their places, the others in the order of the ports. */
export function applyValueEdits(
  born: Readonly<Record<string, DataTree>>,
  edits: readonly Edit<NodeFact>[],
  order: readonly string[],
): Record<string, DataTree> {
  const edited = edits.filter(({ name }) => name === 'value')
  if (edited.length === 0) return born
  const values = new Map(Object.entries(born))
  for (const { ids, value } of inPortOrder(edited, order)) {
    if (value === null) values.delete(ids[0]!)
    else values.set(ids[0]!, value as DataTree)
  }
  return createRecord(values)
}
