import type * as Y from 'yjs'
import { type Fact, findFact } from '../facts/fact.ts'
import { formatFactKey } from '../facts/fact-key.ts'
import { GROUP_FACTS, type GroupFact } from '../facts/group-facts.ts'
import { NODE_FACTS, type NodeFact } from '../facts/node-facts.ts'
import type { Facts } from '../layout.ts'
import { LIVE_LIMITS } from '../limits.ts'
import { LiveEditError } from './edit-error.ts'

/** Notes that a fact is to be set, unless it is `now` already. Throws for a value that it cannot have. */
type SetFact<Name> = (facts: Facts, name: Name, ids: readonly string[], value: unknown, now?: unknown) => void

/** What is to be written, checked as it is noted. */
export interface Plan {
  setNode: SetFact<NodeFact>
  setGroup: SetFact<GroupFact>
  /** Something that cannot fail. */
  write(step: () => void): void
}

/**
 * Makes one edit in one transaction: all of what `note` notes, or, when it throws, nothing. Nothing is also what
 * is written where all is so already.
 */
export function makeEdit(doc: Y.Doc, origin: unknown, note: (plan: Plan) => void): void {
  const steps: (() => void)[] = []
  const write = (step: () => void) => void steps.push(step)
  note({
    setNode: createSetFact(NODE_FACTS, 'node', write),
    setGroup: createSetFact(GROUP_FACTS, 'group', write),
    write,
  })
  if (steps.length === 0) return
  doc.transact(() => {
    for (const step of steps) step()
  }, origin)
}

function createSetFact<Name extends string>(
  kinds: Readonly<Record<Name, Fact>>,
  owner: string,
  write: Plan['write'],
): SetFact<Name> {
  return (facts, name, ids, value, now) => {
    const [key, text] = [formatFactKey(name, ...ids), formatValue(value)]
    if (text === (JSON.stringify(now) ?? 'null')) return
    if (!findFact(kinds, key)?.fact.value(JSON.parse(text))) {
      throw new LiveEditError('not_valid', `A ${owner} cannot have ${text.slice(0, 80)} for its ${key}.`)
    }
    if (facts.get(key) !== text) write(() => facts.set(key, text))
  }
}

/** The JSON text of a value; nothing is null. Throws a `LiveEditError` where it is longer than a fact can be. */
function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  if (text.length <= LIVE_LIMITS.factBytes) return text
  throw new LiveEditError(
    'too_large',
    `That is larger than the ${LIVE_LIMITS.factBytes} bytes that fit in one place.`,
  )
}
