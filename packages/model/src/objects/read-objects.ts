import { CLASS } from '../opennurbs/class-ids.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import type { ModelObject } from '../walker/model-object.ts'
import { walkModel } from '../walker/walk-model.ts'
import { type BlockInstance, readBlockDefinitions, readBlockInstance } from './read-blocks.ts'

/** Objects of a model, and all that is inside the blocks among them. */
export interface ModelObjects {
  /** The objects by id, in lower case. Those that the model does not have are missing. */
  objects: ReadonlyMap<string, ModelObject>
  /** The ids of the objects inside each block definition that is needed, by the id of the definition. */
  definitions: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds objects in a .3dm file by id. The objects are parts of `bytes`: nothing is copied until they are encoded. The file
 * is walked once, and once more for each level of blocks in blocks.
 * Fails: `ModelFault` for other and for damaged files.
 */
export function readObjects(bytes: Uint8Array, ids: Iterable<string>): ModelObjects {
  const objects = new Map<string, ModelObject>()
  let definitions: Map<string, string[]> | undefined
  let wanted = new Set(ids)
  const asked = new Set(wanted)
  while (wanted.size > 0) {
    const found = pick(bytes, wanted)
    const inside = new Set<string>()
    for (const object of found) {
      objects.set(object.id, object)
      const instance = findBlockInstance(object)
      if (!instance) continue
      definitions ??= readBlockDefinitions(bytes)
      for (const id of definitions.get(instance.definition) ?? []) if (!asked.has(id)) inside.add(id)
    }
    for (const id of inside) asked.add(id)
    wanted = inside
  }
  return { objects, definitions: definitions ?? new Map() }
}

/** The first object with each id; reading ends when all are found. */
function pick(bytes: Uint8Array, ids: ReadonlySet<string>): ModelObject[] {
  const left = new Set(ids)
  const found: ModelObject[] = []
  for (const object of walkModel(bytes)) {
    if (!left.delete(object.id)) continue
    found.push(object)
    if (left.size === 0) break
  }
  return found
}

/** Reads an object that is an instance of a block; undefined for any other object. */
export function findBlockInstance(
  object: Pick<ModelObject, 'classId' | 'encode'>,
): BlockInstance | undefined {
  if (object.classId !== CLASS.instanceReference) return undefined
  try {
    return readBlockInstance(object.encode())
  } catch (error) {
    if (error instanceof ModelFault) return undefined
    throw error
  }
}
