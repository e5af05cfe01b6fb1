import { BIRTH, type Facts } from '../layout.ts'
import { type Edit, type Fact, findEdit } from './fact.ts'

/** What was edited of a node or group, in the order of keys: the same wherever it is read. Nonsense is left out. */
export function listEdits<Name extends string>(
  kinds: Readonly<Record<Name, Fact>>,
  facts: Facts,
): Edit<Name>[] {
  const keys = [...facts.keys()].filter((key) => key !== BIRTH).sort()
  return keys.flatMap((key) => findEdit(kinds, key, facts.get(key)) ?? [])
}
