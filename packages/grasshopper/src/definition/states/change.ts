import { type DataValue, decodeNumber, type Node, sameMember, sameTree } from '@meadow/document'

/** The differences in the state and the chosen values of a node. */
export interface Change {
  before: Node
  after: Node
  /** Calls `write` with a member of the state if it differs. */
  member(key: string, write: (value: unknown) => void): void
  /** The values chosen on the object itself, as one list; undefined if they are the same. */
  values: (DataValue | null)[] | undefined
}

export function createChange(before: Node, after: Node): Change {
  const isSameKind = before.state?.kind === after.state?.kind
  const [old, chosen] = [before, after].map(({ values, instanceId }) => values[instanceId])
  return {
    before,
    after,
    member(key, write) {
      const value = after.state?.[key]
      if (isSameKind && !sameMember(key, before.state?.[key], value)) write(value)
    },
    values: sameTree(old, chosen) ? undefined : (chosen?.branches ?? []).flatMap(({ values }) => values),
  }
}

/** The number of a value; undefined if it is not numeric. */
export function findNumber(value: DataValue | null | undefined): number | undefined {
  if (value?.type === 'boolean') return Number(value.value)
  if (value?.type !== 'number' && value?.type !== 'integer') return undefined
  const number = decodeNumber(value.value)
  return Number.isFinite(number) ? number : undefined
}

/** The text that a panel shows for a value. */
export function toWords(value: DataValue | null): string {
  if (value === null) return ''
  return typeof value.value === 'object' ? JSON.stringify(value.value) : String(value.value)
}
