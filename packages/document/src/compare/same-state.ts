import type { Node } from '@meadow/contract'
import { unifyLineEnds } from '../graph/panel-lines.ts'
import { sameJson } from './same-json.ts'

/** Whether two states are equal at the precision of a file, where positions and sizes are singles. */
export function sameState(a: Node['state'], b: Node['state']): boolean {
  return sameJson(a && settle(a), b && settle(b))
}

/** Whether the second state has all members of the first; it may have more, with the defaults of its class. */
export function holdsState(a: Node['state'], b: Node['state']): boolean {
  return Object.entries(a ?? {}).every(([key, value]) => sameMember(key, value, b?.[key]))
}

/** Whether a member of two states is equal. */
export function sameMember(key: string, a: unknown, b: unknown): boolean {
  return sameJson(settleMember(key, a), settleMember(key, b))
}

/** Members that are singles in archives. */
const SINGLES = new Set(['size', 'fontSize', 'width', 'corners', 'lines'])
/** Members that can have any line ends in archives. */
const TEXTS = new Set(['text', 'source', 'imports', 'members'])
/** Members that a state omits if they are empty. */
const OMITTED_WHEN_EMPTY = new Set([
  'snaps',
  'imports',
  'members',
  'references',
  'path',
  'languageSpec',
  'graph',
])

function settle(state: object): object {
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, settleMember(key, value)]))
}

function settleMember(key: string, value: unknown): unknown {
  if (OMITTED_WHEN_EMPTY.has(key) && isEmpty(value)) return undefined
  if (SINGLES.has(key)) return toSingles(value)
  return TEXTS.has(key) && typeof value === 'string' ? unifyLineEnds(value) : value
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/** Rounds numbers, points, and lists of lists of points, which are the deepest values, to singles. */
function toSingles(value: unknown, levels = 4): unknown {
  if (typeof value === 'number') return Math.fround(value)
  if (levels === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((member) => toSingles(member, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, toSingles(member, levels - 1)]),
  )
}
