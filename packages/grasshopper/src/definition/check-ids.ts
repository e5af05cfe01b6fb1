import { printable } from '../archive/fault.ts'
import { GrasshopperError } from '../grasshopper-error.ts'
import type { DefinitionObject } from './objects/definition-object.ts'
import type { ObjectPorts } from './ports/port-chunk.ts'

/**
 * Sees that objects, groups included, and ports have ids of their own; wires could not be told apart otherwise.
 * Fails: `duplicate_id`, naming both owners.
 */
export function checkIds(objects: readonly { object: DefinitionObject; ports: ObjectPorts }[]): void {
  const owners = new Map<string, DefinitionObject>()
  const claim = (id: string, object: DefinitionObject) => {
    const owner = owners.get(id)
    if (owner) {
      const what = `${describe(owner)} and ${describe(object)} share the id ${id}`
      throw new GrasshopperError('duplicate_id', what, object.where)
    }
    owners.set(id, object)
  }
  for (const { object } of objects) claim(object.instanceId, object)
  for (const { object, ports } of objects) {
    for (const { id, chunk } of [...ports.inputs, ...ports.outputs]) {
      if (chunk !== object.container) claim(id, object)
    }
  }
}

function describe({ name, where }: DefinitionObject): string {
  return `${printable(name) || 'Nameless'} (${where.slice(where.lastIndexOf('/') + 1)})`
}
