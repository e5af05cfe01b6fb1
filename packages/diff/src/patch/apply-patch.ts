import { sameJson } from '@meadow/document'
import { applyPatch as applyLines, structuredPatch } from 'diff'
import type { DocumentContent } from '../changes/diff-documents.ts'
import {
  assertPatch,
  DOCUMENT,
  keyOfItem,
  listOrdered,
  type Patch,
  type PatchOperation,
  type Shape,
  shapeOf,
} from './patch.ts'

/** A part of a document that is not what a patch expects. */
export interface Conflict {
  /**
   * `changed`: the part differs from what the patch changes. `missing`: it, or what it is part of, is not there.
   * `present`: what the patch adds is there already, and differs. `dangling`: two changes that fit one by one contradict
   * each other, as a wire from a node that was removed.
   */
  kind: 'changed' | 'missing' | 'present' | 'dangling'
  path: string[]
  /** The part in words: `nodes · Height · position`. */
  where: string
  /** The innermost node that the part belongs to. */
  nodeInstanceId?: string
  /** What the patch expects. Absent: nothing. */
  expected?: unknown
  /** What the document has. Absent: nothing. */
  found?: unknown
  /** What the patch would have made of it. Absent: nothing. */
  wanted?: unknown
}

/** A document after a patch, and what could not be applied of it. */
export interface Patched<T> {
  document: T
  conflicts: Conflict[]
}

/**
 * Applies a patch to a document, which is not changed. Operations that do not fit are left out and are in `conflicts`;
 * one whose result is there already fits. Applied to the document that the patch was created from, the result equals
 * the other document. Throws a `TypeError` for what is no patch.
 */
export function applyPatch<T extends DocumentContent>(document: T, patch: Patch): Patched<T> {
  assertPatch(patch)
  const conflicts: Conflict[] = []
  const copies = new Set<object>()
  const result = copyOnce(document, copies)
  for (const operation of patch.operations) {
    const conflict = applyOperation(result, operation, copies)
    if (conflict) conflicts.push(conflict)
  }
  return { document: result, conflicts }
}

type Plain = Record<string, unknown>

/** What holds a part: a record, or the list of groups. */
interface Holder {
  container: Plain | { id: string }[]
  key: string
  shape: Shape | undefined
}

function applyOperation(
  document: object,
  operation: PatchOperation,
  copies: Set<object>,
): Conflict | undefined {
  const { path } = operation
  const holder = findHolder(document, path, copies)
  if (!holder) return createConflict(document, operation, 'missing', undefined)
  const found = read(holder)
  switch (operation.op) {
    case 'set':
      return applySet(document, holder, operation, found)
    case 'list':
      return applyToList(document, holder, operation, found)
    case 'order':
      if (Array.isArray(found)) write(holder, putInOrder(found as { id: string }[], operation.keys))
      return undefined
  }
}

function applySet(
  document: object,
  holder: Holder,
  operation: Extract<PatchOperation, { op: 'set' }>,
  found: unknown,
): Conflict | undefined {
  const { path, before, after } = operation
  if (sameJson(found, after)) return undefined
  if (sameJson(found, before) || (after === undefined && isRemovable(found, before, path))) {
    write(holder, after)
    return undefined
  }
  const merged = holder.shape === 'lines' ? mergeLines(found, before, after) : undefined
  if (merged === undefined) {
    const kind = before === undefined ? 'present' : found === undefined ? 'missing' : 'changed'
    return createConflict(document, operation, kind, found)
  }
  write(holder, merged)
  return undefined
}

/** Texts that differ in more lines than this are not merged: finding the fewest changes would take too long. */
const MAX_EDITS = 2000

/** A text with the lines changed that differ between two others; undefined where these lines are other ones. */
function mergeLines(found: unknown, before: unknown, after: unknown): string | undefined {
  if (typeof found !== 'string' || typeof before !== 'string' || typeof after !== 'string') return undefined
  const patch = structuredPatch('', '', before, after, '', '', { maxEditLength: MAX_EDITS })
  const merged = patch && applyLines(found, patch, { autoConvertLineEndings: false })
  return typeof merged === 'string' ? merged : undefined
}

/** Finds what holds a part, and copies what leads there, so that the given document stays as it is. */
function findHolder(document: object, path: readonly string[], copies: Set<object>): Holder | undefined {
  let shape: Shape | undefined = DOCUMENT
  let container = document as Holder['container']
  if (!Object.hasOwn(DOCUMENT.members, path[0]!)) return undefined
  for (const [depth, key] of path.entries()) {
    const inner: Shape | undefined = shapeOf(shape, key)
    if (depth === path.length - 1) return { container, key, shape: inner }
    const found = read({ container, key, shape: inner })
    if (typeof found !== 'object' || found === null) return undefined
    const copy = copyOnce(found, copies)
    if (copy !== found) write({ container, key, shape: inner }, copy)
    container = copy as Holder['container']
    shape = inner
  }
  return undefined
}

/** A shallow copy, with the prototype of the original; the same object if it is a copy already. */
function copyOnce<T extends object>(value: T, copies: Set<object>): T {
  if (copies.has(value)) return value
  const copy = Array.isArray(value)
    ? ([...value] as object as T)
    : Object.assign(Object.create(Object.getPrototypeOf(value)), value)
  copies.add(copy)
  return copy
}

function read({ container, key }: Holder): unknown {
  if (Array.isArray(container)) return container.find(({ id }) => id === key)
  return Object.hasOwn(container, key) ? container[key] : undefined
}

function write({ container, key }: Holder, value: unknown): void {
  if (Array.isArray(container)) {
    const at = container.findIndex(({ id }) => id === key)
    if (value === undefined) container.splice(at, 1)
    else if (at >= 0) container[at] = value as { id: string }
    else container.push(value as { id: string })
  } else if (value === undefined) delete container[key]
  else if (key === '__proto__') {
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
  } else container[key] = value
}

/** A node that was only moved can be removed. */
function isRemovable(found: unknown, before: unknown, path: readonly string[]): boolean {
  const isNode = path.at(-2) === 'nodes'
  if (!isNode || typeof found !== 'object' || typeof before !== 'object') return false
  return sameJson({ ...found, position: null }, { ...before, position: null })
}

function applyToList(
  document: object,
  holder: Holder,
  operation: Extract<PatchOperation, { op: 'list' }>,
  found: unknown,
): Conflict | undefined {
  const isOfOrders = holder.shape === 'orders'
  const items = isOfOrders ? listOrdered(found) : (found ?? [])
  if (!Array.isArray(items)) return createConflict(document, operation, 'changed', found)
  const keys = new Set(items.map(keyOfItem))
  const isThere = (item: unknown) => keys.has(keyOfItem(item))
  // What both sides removed is as both want it, but what takes the place of something needs that to be there.
  if (!operation.remove.every(isThere) && !operation.insert.every(({ item }) => isThere(item))) {
    return createConflict(document, operation, 'changed', found)
  }
  const removed = new Set(operation.remove.map(keyOfItem))
  const result = items.filter((item) => !removed.has(keyOfItem(item)))
  for (const { item, after } of operation.insert) {
    const present = result.map(keyOfItem)
    if (present.includes(keyOfItem(item))) continue
    const at = after === null ? 0 : present.indexOf(keyOfItem(after)) + 1
    result.splice(after !== null && at === 0 ? result.length : at, 0, item)
  }
  const isEmpty = result.length === 0 && holder.shape === 'optionalList'
  const value = isOfOrders ? toOrders(result, found) : result
  write(holder, isEmpty ? undefined : value)
  return undefined
}

function toOrders(ids: readonly unknown[], like: unknown): object {
  const record = Object.create(Object.getPrototypeOf(like)) as Plain
  for (const [order, id] of ids.entries())
    write({ container: record, key: String(id), shape: undefined }, order)
  return record
}

/** The groups in an order; those that it does not name stay behind the one that they were behind. */
function putInOrder(groups: readonly { id: string }[], keys: readonly string[]): { id: string }[] {
  const places = new Map(keys.map((key, i) => [key, i]))
  let place = -1
  return groups
    .map((group) => {
      place = places.get(group.id) ?? place
      return { group, place }
    })
    .sort((a, b) => a.place - b.place)
    .map(({ group }) => group)
}

function createConflict(
  document: object,
  operation: PatchOperation,
  kind: Conflict['kind'],
  found: unknown,
): Conflict {
  const { path } = operation
  const nodeAt = path.findLastIndex((key, i) => i > 0 && path[i - 1] === 'nodes' && key !== undefined)
  const expected =
    operation.op === 'set' ? operation.before : operation.op === 'list' ? operation.remove : undefined
  const wanted =
    operation.op === 'set'
      ? operation.after
      : operation.op === 'list'
        ? operation.insert.map(({ item }) => item)
        : undefined
  return {
    kind,
    path,
    where: nameParts(document, operation).join(' · '),
    ...(nodeAt > 0 ? { nodeInstanceId: path[nodeAt]! } : {}),
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(wanted === undefined ? {} : { wanted }),
  }
}

/** The parts of a path, with the names of nodes, ports and groups instead of ids. */
function nameParts(document: object, { path, ...operation }: PatchOperation): string[] {
  let [container, node]: [unknown, unknown] = [document, undefined]
  return path.map((key, depth) => {
    const isLast = depth === path.length - 1
    const value = Array.isArray(container)
      ? container.find((one) => one?.id === key)
      : typeof container === 'object' && container !== null && Object.hasOwn(container, key)
        ? (container as Plain)[key]
        : undefined
    const whole = isLast && 'before' in operation ? (value ?? operation.before) : value
    container = value
    if (path[depth - 1] === 'nodes') node = whole
    const ports = (node as { ports?: Plain } | undefined)?.ports
    const named =
      path[depth - 1] === 'nodes' || path[depth - 1] === 'groups'
        ? whole
        : ports && Object.hasOwn(ports, key)
          ? ports[key]
          : undefined
    const { nickName, label, name } = (named ?? {}) as { nickName?: string; label?: string; name?: string }
    return nickName || label || name || key
  })
}
