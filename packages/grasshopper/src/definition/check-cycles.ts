import { findCycle, type GraphContent } from '@meadow/document'
import { printable } from '../archive/fault.ts'
import { GrasshopperError } from '../grasshopper-error.ts'
import type { DefinitionObject } from './objects/definition-object.ts'

const MAX_NAMED = 5

/** Grasshopper never makes a cycle and cannot solve one. Fails: `cyclic_wires`, naming the objects. */
export function checkCycles(content: GraphContent, objects: readonly DefinitionObject[]): void {
  const cycle = findCycle(content)
  if (!cycle) return
  const byId = new Map(objects.map((object) => [object.instanceId, object]))
  const named = cycle
    .slice(0, MAX_NAMED)
    .map((id) => `${printable(byId.get(id)?.name ?? '') || 'Nameless'} (${id})`)
  const more = cycle.length > MAX_NAMED ? ` and ${cycle.length - MAX_NAMED} more` : ''
  const where = byId.get(cycle[0] ?? '')?.where ?? ''
  throw new GrasshopperError('cyclic_wires', `Wires form a cycle: ${named.join(', ')}${more}`, where)
}
