import { isObject, type Members, NotChecked } from '../sentence.ts'
import type { Service } from '../service.ts'

/** The list of a search: the name of its member is not in the contract. */
export function listIn(json: unknown): Members[] | undefined {
  if (!isObject(json)) return undefined
  const lists = Object.values(json).filter((value): value is unknown[] => Array.isArray(value))
  return (lists.find((list) => list.some(isObject)) ?? lists[0])?.filter(isObject)
}

/** Searches. Throws `NotChecked` when the answer has no list, which the check of the endpoint reports. */
export async function search(
  service: Service,
  query: Readonly<Record<string, string>> = {},
): Promise<{ items: Members[] }> {
  const { json } = await service.get(`/documents?${new URLSearchParams(query)}`)
  const items = listIn(json)
  if (!items) throw new NotChecked('a search that returns a list')
  return { items }
}

/** Tells whether two lists are of the same documents, in any order. */
export function sameIds(a: readonly Members[], b: readonly Members[]): boolean {
  const idsOf = (list: readonly Members[]) => list.map(({ id }) => String(id)).sort()
  return JSON.stringify(idsOf(a)) === JSON.stringify(idsOf(b))
}
