import { type DataValue, decodeNumber, type Node } from '@meadow/document'
import { sameMember } from '../../compare/same-state.ts'
import { sameTree } from '../../compare/same-tree.ts'

/** What differs of the state and the chosen values of a node of a special kind. */
export interface Change {
  before: Node
  after: Node
  /** Hands over a member of the state, if it differs. */
  member(key: string, write: (value: unknown) => void): void
  /** What is chosen on the object itself, as one list, if it differs. */
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

/** The number of a value; undefined for what is none. */
export function findNumber(value: DataValue | null | undefined): number | undefined {
  if (value?.type === 'boolean') return Number(value.value)
  if (value?.type !== 'number' && value?.type !== 'integer') return undefined
  const number = decodeNumber(value.value)
  return Number.isFinite(number) ? number : undefined
}

/** A value in words, as a panel shows it. */
export function toWords(value: DataValue | null): string {
  if (value === null) return ''
  return typeof value.value === 'object' ? JSON.stringify(value.value) : String(value.value)
}
