import { sameJson } from '@meadow/document'
import type { DocumentContent } from '../changes/diff-documents.ts'
import {
  DOCUMENT,
  keyOfItem,
  listOrdered,
  type Patch,
  type PatchOperation,
  type Shape,
  shapeOf,
} from './patch.ts'

/**
 * The patch that makes the newer of two valid documents of the older one: nodes, groups, pins and the contents of
 * clusters. What else a document has (its name, times, file) is not part of it. Nodes are the same by id.
 */
export function createPatch(before: DocumentContent, after: DocumentContent): Patch {
  const operations: PatchOperation[] = []
  for (const [name, shape] of Object.entries(DOCUMENT.members)) {
    diffMember(before, after, name, shape, [name], operations)
  }
  return { format: 'meadow-patch', version: 1, operations }
}

type Plain = Readonly<Record<string, unknown>>

function diffMember(
  before: object,
  after: object,
  key: string,
  shape: Shape | undefined,
  path: string[],
  operations: PatchOperation[],
): void {
  const [was, is] = [read(before, key), read(after, key)]
  if (was === is) return
  if (shape === 'optionalList' && isListOrAbsent(was) && isListOrAbsent(is)) {
    diffLists(was ?? [], is ?? [], path, operations)
  } else if (was === undefined || is === undefined) set(was, is, path, operations)
  else diffPart(was, is, shape, path, operations)
}

/** The value of an own member. */
const read = (from: object, key: string): unknown =>
  Object.hasOwn(from, key) ? (from as Plain)[key] : undefined

/** Whether a value is a list with items, or absent: an empty list could not be distinguished from an absent one. */
const isListOrAbsent = (value: unknown): value is unknown[] | undefined =>
  value === undefined || (Array.isArray(value) && value.length > 0)

function set(before: unknown, after: unknown, path: string[], operations: PatchOperation[]): void {
  const was = before === undefined ? {} : { before }
  operations.push({ op: 'set', path, ...was, ...(after === undefined ? {} : { after }) })
}

function diffPart(
  before: unknown,
  after: unknown,
  shape: Shape | undefined,
  path: string[],
  operations: PatchOperation[],
): void {
  if (shape === 'list' && Array.isArray(before) && Array.isArray(after)) {
    diffLists(before, after, path, operations)
  } else if (shape === 'orders') {
    const [was, is] = [listOrdered(before), listOrdered(after)]
    if (was && is) diffLists(was, is, path, operations)
    else if (!sameJson(before, after)) set(before, after, path, operations)
  } else if (
    typeof shape === 'object' &&
    'groups' in shape &&
    Array.isArray(before) &&
    Array.isArray(after)
  ) {
    diffGroups(before, after, shape, path, operations)
  } else if (typeof shape === 'object' && isRecord(before) && isRecord(after)) {
    diffRecords(before, after, shape, path, operations)
  } else if (!sameJson(before, after)) set(before, after, path, operations)
}

const isRecord = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function diffRecords(
  before: Plain,
  after: Plain,
  shape: Shape,
  path: string[],
  operations: PatchOperation[],
): void {
  const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))]
  for (const key of keys) diffMember(before, after, key, shapeOf(shape, key), [...path, key], operations)
}

interface WithId {
  id: string
}

function diffGroups(
  before: WithId[],
  after: WithId[],
  shape: Shape,
  path: string[],
  operations: PatchOperation[],
): void {
  const toRecord = (groups: readonly WithId[]): Plain =>
    Object.fromEntries(groups.map((group) => [group.id, group]))
  diffRecords(toRecord(before), toRecord(after), shape, path, operations)
  const ids = new Set(after.map(({ id }) => id))
  const kept = before.filter(({ id }) => ids.has(id)).map(({ id }) => id)
  const known = new Set(kept)
  const expected = [...kept, ...after.filter(({ id }) => !known.has(id)).map(({ id }) => id)]
  const keys = after.map(({ id }) => id)
  if (!sameJson(expected, keys)) operations.push({ op: 'order', path, keys })
}

function diffLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string[],
  operations: PatchOperation[],
): void {
  const [was, is] = [before.map(keyOfItem), after.map(keyOfItem)]
  if (was.length === is.length && was.every((key, i) => key === is[i])) return
  if (new Set(was).size < was.length || new Set(is).size < is.length) {
    set(before, after, path, operations)
    return
  }
  const stays = new Set(keepOrder(was, is))
  const remove = before.filter((_, i) => !stays.has(was[i]!))
  const insert = after.flatMap((item, i) =>
    stays.has(is[i]!) ? [] : [{ item, after: after[i - 1] ?? null }],
  )
  operations.push({ op: 'list', path, remove, insert })
}

/** The longest common subsequence of two lists of distinct keys: a longest rising row of indices. */
function keepOrder(before: readonly string[], after: readonly string[]): string[] {
  const places = new Map(before.map((key, i) => [key, i]))
  const common = after.flatMap((key) => (places.has(key) ? [{ key, place: places.get(key)! }] : []))
  /** The index in `common` of the lowest end of a row of each length: that of length 1 comes first. */
  const ends: number[] = []
  const previous: number[] = []
  common.forEach(({ place }, i) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (common[ends[middle]!]!.place < place) low = middle + 1
      else high = middle
    }
    previous[i] = low > 0 ? ends[low - 1]! : -1
    ends[low] = i
  })
  const kept: string[] = []
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]!) kept.unshift(common[i]!.key)
  return kept
}
