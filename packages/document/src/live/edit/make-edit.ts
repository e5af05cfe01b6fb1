import type * as Y from 'yjs'
import { GROUP_PROPERTIES, type GroupPropertyName } from '../schema/group-properties.ts'
import type { PropertyMap } from '../schema/layout.ts'
import { LIVE_LIMITS } from '../schema/limits.ts'
import { NODE_PROPERTIES, type NodePropertyName } from '../schema/node-properties.ts'
import { findProperty, type Property } from '../schema/property.ts'
import { formatPropertyKey } from '../schema/property-key.ts'
import { LiveEditError } from './edit-error.ts'

/** Plans a change of a property, unless its value is `now` already. Throws for an invalid value. */
type SetProperty<Name> = (
  properties: PropertyMap,
  name: Name,
  ids: readonly string[],
  value: unknown,
  now?: unknown,
) => void

/** The planned writes of an edit. Each is checked when it is planned. */
export interface Plan {
  setNode: SetProperty<NodePropertyName>
  setGroup: SetProperty<GroupPropertyName>
  /** Plans a step that cannot fail. */
  write(step: () => void): void
}

/**
 * Makes one edit in one transaction: everything that `prepare` plans, or nothing if it throws. An edit that would
 * change nothing writes nothing.
 */
export function makeEdit(doc: Y.Doc, origin: unknown, prepare: (plan: Plan) => void): void {
  const steps: (() => void)[] = []
  const write = (step: () => void) => void steps.push(step)
  prepare({
    setNode: createSetProperty(NODE_PROPERTIES, 'node', write),
    setGroup: createSetProperty(GROUP_PROPERTIES, 'group', write),
    write,
  })
  if (steps.length === 0) return
  doc.transact(() => {
    for (const step of steps) step()
  }, origin)
}

function createSetProperty<Name extends string>(
  kinds: Readonly<Record<Name, Property>>,
  owner: string,
  write: Plan['write'],
): SetProperty<Name> {
  return (properties, name, ids, value, now) => {
    const [key, text] = [formatPropertyKey(name, ...ids), formatValue(value)]
    if (text === (JSON.stringify(now) ?? 'null')) return
    if (!findProperty(kinds, key)?.property.value(JSON.parse(text))) {
      throw new LiveEditError('not_valid', `A ${owner} cannot have ${text.slice(0, 80)} for its ${key}.`)
    }
    if (properties.get(key) !== text) write(() => properties.set(key, text))
  }
}

/** The JSON text of a value; undefined becomes null. Throws a `LiveEditError` if it exceeds the limit of a property. */
function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  if (text.length <= LIVE_LIMITS.propertyBytes) return text
  throw new LiveEditError(
    'too_large',
    `That is larger than the ${LIVE_LIMITS.propertyBytes} bytes that fit in one place.`,
  )
}
