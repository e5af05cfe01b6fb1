import { CREATION_RECORD, type PropertyMap } from './layout.ts'
import { findPropertyKey, parseJson } from './property-key.ts'
import type { Shape } from './shape.ts'

/** A property that is edited by itself: concurrent edits of different properties do not overwrite each other. */
export interface Property {
  /** The shape of each id in its key. */
  ids: readonly Shape[]
  value: Shape
  /** Whether a change can alter the result of a solve. */
  computes: boolean
}

/** A property that was edited since its node or group was created. */
export interface Edit<Name extends string = string> {
  name: Name
  ids: readonly string[]
  value: unknown
}

type Properties<Name extends string> = Readonly<Record<Name, Property>>

/** The property that a key belongs to; undefined for an unknown key. */
export function findProperty<Name extends string>(properties: Properties<Name>, key: string) {
  const found = findPropertyKey(key)
  if (!found || !Object.hasOwn(properties, found.name)) return undefined
  const name = found.name as Name
  const property: Property = properties[name]
  const { ids } = found
  const fits = ids.length === property.ids.length && property.ids.every((shape, at) => shape(ids[at]))
  return fits ? { name, property, ids } : undefined
}

/** The edit stored under a key; undefined if the key or its text is invalid. */
export function findEdit<Name extends string>(
  properties: Properties<Name>,
  key: string,
  text: unknown,
): Edit<Name> | undefined {
  const found = findProperty(properties, key)
  const value = found && parseJson(text)
  if (!found || value === undefined || !found.property.value(value)) return undefined
  return { name: found.name, ids: found.ids, value }
}

/** The edits of a node or group in the order of keys, the same in every copy. Invalid entries are ignored. */
export function listEdits<Name extends string>(
  schema: Properties<Name>,
  properties: PropertyMap,
): Edit<Name>[] {
  const keys = [...properties.keys()].filter((key) => key !== CREATION_RECORD).sort()
  return keys.flatMap((key) => findEdit(schema, key, properties.get(key)) ?? [])
}
