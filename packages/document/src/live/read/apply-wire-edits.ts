import type { Node } from '@meadow/contract'
import { createRecord } from '../../record.ts'
import type { Edit } from '../facts/fact.ts'
import type { NodeFact } from '../facts/node-facts.ts'
import { listInPlaces, placeWires } from './placed-wires.ts'

/** The wires into each input; the inputs that had some in their places, the others in the order of the ports. */
export function applyWireEdits(
  born: Node['sources'],
  edits: readonly Edit<NodeFact>[],
  order: readonly string[],
): Node['sources'] {
  if (!edits.some(({ name }) => name === 'wire')) return born
  const inputs = [...placeWires(born, edits, order)].filter(([, wires]) => wires.size > 0)
  return createRecord(
    inputs.map(([input, wires]) => [input, listInPlaces(wires).map(({ sender }) => sender)] as const),
  )
}
