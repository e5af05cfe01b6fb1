import assert from 'node:assert/strict'
import type { DocumentContent } from '../changes/diff-documents.ts'
import { DOCUMENT, keyOfItem, listOrdered, type Patch, type Shape, shapeOf } from '../patch/patch.ts'

type Plain = Record<string, unknown>

/** What holds a part of a document: a record, or the list of groups. */
interface Holder {
  container: Plain | { id: string }[]
  key: string
  shape: Shape | undefined
}

/** The document that a patch leads to. Fails where the document is not what the patch expects. */
export function applyPatch<T extends DocumentContent>(document: T, { operations }: Patch): T {
  const result = structuredClone(document)
  for (const operation of operations) {
    const holder = findHolder(result, operation.path)
    const found = read(holder)
    if (operation.op === 'set') {
      assert.deepEqual(toJson(found), toJson(operation.before), operation.path.join())
      write(holder, operation.after)
    } else if (operation.op === 'list') write(holder, changeList(holder, found, operation))
    else write(holder, putInOrder(found as { id: string }[], operation.keys))
  }
  return result
}

const toJson = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)))

function findHolder(document: object, path: readonly string[]): Holder {
  let shape: Shape | undefined = DOCUMENT
  let container = document as Holder['container']
  for (const [depth, key] of path.entries()) {
    const inner: Shape | undefined = shapeOf(shape, key)
    if (depth === path.length - 1) return { container, key, shape: inner }
    container = read({ container, key, shape: inner }) as Holder['container']
    assert.ok(container, `${path.join()} is not there`)
    shape = inner
  }
  throw new Error('The path is empty.')
}

function read({ container, key }: Holder): unknown {
  if (Array.isArray(container)) return container.find(({ id }) => id === key)
  return Object.hasOwn(container, key) ? container[key] : undefined
}

function write({ container, key }: Holder, value: unknown): void {
  if (Array.isArray(container)) {
    const at = container.findIndex(({ id }) => id === key)
    if (value === undefined) container.splice(at, 1)
    else container.splice(at < 0 ? container.length : at, 1, value as { id: string })
  } else if (value === undefined) delete container[key]
  else Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}

function changeList(
  { shape }: Holder,
  found: unknown,
  { remove, insert }: Extract<Patch['operations'][number], { op: 'list' }>,
): unknown {
  const items: unknown[] = shape === 'orders' ? listOrdered(found)! : ((found ?? []) as unknown[])
  const keys = items.map(keyOfItem)
  for (const item of remove) assert.ok(keys.includes(keyOfItem(item)), `${keyOfItem(item)} is in the list`)
  const removed = new Set(remove.map(keyOfItem))
  const result = items.filter((item) => !removed.has(keyOfItem(item)))
  for (const { item, after } of insert) {
    const at = after === null ? 0 : result.map(keyOfItem).indexOf(keyOfItem(after)) + 1
    result.splice(at, 0, item)
  }
  if (shape === 'orders') return Object.fromEntries(result.map((id, order) => [id, order]))
  return result.length === 0 && shape === 'optionalList' ? undefined : result
}

const putInOrder = (groups: readonly { id: string }[], keys: readonly string[]): { id: string }[] =>
  groups.toSorted((a, b) => keys.indexOf(a.id) - keys.indexOf(b.id))
