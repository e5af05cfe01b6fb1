import type { EncodedGeometry } from '@meadow/contract'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { compose } from '@meadow/geometry/transform/matrix'
import type { Geometry, Transform } from '@meadow/geometry/values/value'
import { ModelFault } from '../opennurbs/model-fault.ts'
import type { ModelObject } from '../walker/model-object.ts'
import type { ModelLibrary } from '../worker/model-library.ts'
import { nameClass } from './class-names.ts'
import { findBlockInstance, type ModelObjects } from './read-objects.ts'

/** An object of a model for the solver. */
export interface DecodedObject {
  /** What it is called in Rhino: `Curve`, `Extrusion`, `Block`. */
  kind: string
  object: ModelObject
  /** The object as it is in the file. */
  geometry: EncodedGeometry
  /**
   * The object as a value: a block is the group of what is inside it, transformed; an extrusion is a brep. Undefined
   * for what the solver has no type for, such as a SubD, a text or a hatch.
   */
  value?: Geometry
  /** What the group of a block lacks, because the solver has no type for it. */
  omitted?: { kind: string; count: number }[]
}

/** The most objects in one block: a block of blocks of blocks has few objects, and may unfold to any number. */
const MAX_MEMBERS = 100_000
const MAX_DEPTH = 100

/**
 * Decodes objects of a model by id; those that it lacks are missing. Fails: `ModelFault` for a block with too many
 * objects, or which contains itself.
 */
export async function decodeObjects(
  { objects, definitions }: ModelObjects,
  ids: Iterable<string>,
  library: Pick<ModelLibrary, 'decode'>,
): Promise<Map<string, DecodedObject>> {
  const all = [...objects.values()].filter((object) => !findBlockInstance(object))
  const encoded = all.map((object) => object.encode())
  const values = await library.decode(encoded)
  const plain = new Map(
    all.map((object, at) => {
      const value = values[at]
      const kind = nameClass(object.classId)
      return [object.id, { kind, object, geometry: encoded[at]!, ...(value && { value }) }]
    }),
  )
  const decoded = new Map<string, DecodedObject>()
  for (const id of ids) {
    const object = objects.get(id)
    const found = plain.get(id) ?? (object && decodeBlock(object, { objects, definitions }, plain))
    if (found) decoded.set(id, found)
  }
  return decoded
}

function decodeBlock(
  object: ModelObject,
  model: ModelObjects,
  plain: ReadonlyMap<string, DecodedObject>,
): DecodedObject {
  const members: Geometry[] = []
  const omitted = new Map<string, number>()
  const omit = (kind: string) => omitted.set(kind, (omitted.get(kind) ?? 0) + 1)
  let visited = 0

  function unfold(block: ModelObject, outer: Transform | undefined, ancestors: readonly string[]): void {
    const { definition, transform } = findBlockInstance(block)!
    if (ancestors.includes(definition)) throw new ModelFault('a block that contains itself')
    if (ancestors.length >= MAX_DEPTH) throw new ModelFault(`more than ${MAX_DEPTH} blocks in each other`)
    const whole = outer ? compose(transform, outer) : transform
    for (const id of model.definitions.get(definition) ?? []) {
      if (++visited > MAX_MEMBERS) throw new ModelFault(`a block of more than ${MAX_MEMBERS} objects`)
      const member = model.objects.get(id)
      if (!member) omit('Missing object')
      else if (findBlockInstance(member)) unfold(member, whole, [...ancestors, definition])
      else {
        const { kind, value } = plain.get(id)!
        const placed = value && applyTransform(value, whole)
        if (placed) members.push(placed)
        else omit(kind)
      }
    }
  }

  unfold(object, undefined, [])
  return {
    kind: nameClass(object.classId),
    object,
    geometry: object.encode(),
    ...(members.length > 0 && { value: { type: 'group', members } }),
    omitted: [...omitted].map(([kind, count]) => ({ kind, count })),
  }
}
