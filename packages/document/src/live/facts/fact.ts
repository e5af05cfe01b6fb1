import type { Shape } from '../shapes/shape.ts'
import { findFactKey, parseFact } from './fact-key.ts'

/** A kind of fact that is edited by itself: whoever edits another one at the same time overwrites nothing. */
export interface Fact {
  /** The shape of each id in its key. */
  ids: readonly Shape[]
  value: Shape
  /** Whether a solve can give something else once it has changed. */
  computes: boolean
}

/** A fact that was edited since its node or group was born. */
export interface Edit<Name extends string = string> {
  name: Name
  ids: readonly string[]
  value: unknown
}

type Facts<Name extends string> = Readonly<Record<Name, Fact>>

/** What a key is about; undefined for keys that no fact has. */
export function findFact<Name extends string>(facts: Facts<Name>, key: string) {
  const found = findFactKey(key)
  if (!found || !Object.hasOwn(facts, found.name)) return undefined
  const name = found.name as Name
  const fact: Fact = facts[name]
  const { ids } = found
  const fits = ids.length === fact.ids.length && fact.ids.every((shape, at) => shape(ids[at]))
  return fits ? { name, fact, ids } : undefined
}

/** The edit that a key and its text tell of; undefined where they tell of none that is valid. */
export function findEdit<Name extends string>(
  facts: Facts<Name>,
  key: string,
  text: unknown,
): Edit<Name> | undefined {
  const found = findFact(facts, key)
  const value = found && parseFact(text)
  if (!found || value === undefined || !found.fact.value(value)) return undefined
  return { name: found.name, ids: found.ids, value }
}
