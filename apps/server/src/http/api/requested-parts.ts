/** The parts of a document or a solution that a request asks for with `nodes` and `fields`; undefined means all. */
export interface RequestedParts {
  nodes: readonly string[] | undefined
  fields: readonly string[] | undefined
}

/** Reads `nodes` and `fields`; returns undefined when the request has neither of them. */
export function readParts(query: URLSearchParams): RequestedParts | undefined {
  const nodes = readList(query, 'nodes')
  const fields = readList(query, 'fields')
  return nodes || fields ? { nodes, fields } : undefined
}

/** Lists what all parameters of this name list, each once; undefined when there is none. */
const readList = (query: URLSearchParams, name: string): string[] | undefined =>
  query.has(name)
    ? [...new Set(query.getAll(name).flatMap((value) => value.split(',')))].filter((item) => item !== '')
    : undefined

const NAME_PREFIX = 'name:'

/** Returns the name that an item of `nodes` asks for; undefined when the item is an id. */
export const nameOf = (item: string): string | undefined =>
  item.startsWith(NAME_PREFIX) ? item.slice(NAME_PREFIX.length) : undefined

/** Finds the ids that are asked for by names, for each name that a node of a document has. */
export function findNamed(
  items: readonly string[],
  nodes: Iterable<readonly [id: string, node: { names: readonly string[] }]>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const wanted = new Set(items.map(nameOf).filter((name) => name !== undefined))
  for (const [id, { names }] of wanted.size > 0 ? nodes : [])
    for (const name of names)
      if (wanted.has(name)) found.set(name, (found.get(name) ?? new Set<string>()).add(id))
  return found
}

/** Returns the member of a response that says what is missing; undefined when nothing is. */
export function describeMissing(missing: {
  nodes: readonly string[]
  fields: readonly string[]
}): Partial<typeof missing> | undefined {
  const { nodes, fields } = missing
  if (nodes.length === 0 && fields.length === 0) return undefined
  return { ...(nodes.length > 0 && { nodes }), ...(fields.length > 0 && { fields }) }
}
