/** A node with objects in a model file. */
interface NamedNode {
  nodeInstanceId: string
  nodeName: string
}

/** The layer name of each node, in the order of their first values. */
export function planLayers(nodes: Iterable<NamedNode>): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { nodeInstanceId, nodeName } of nodes) {
    if (names.has(nodeInstanceId)) continue
    const name = makeUnique(toLayerName(nodeName), taken)
    taken.add(normalizeCase(name))
    names.set(nodeInstanceId, name)
  }
  return names
}

/** Rhino uses `::` as the separator of layer paths and rejects leading and trailing spaces. */
function toLayerName(name: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/:{2,}/g, ':')
    .trim()
  return clean === '' ? 'Node' : clean.slice(0, 200)
}

function makeUnique(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(normalizeCase(name))) return name
  for (let number = 2; ; number++) {
    const numbered = `${name} ${number}`
    if (!taken.has(normalizeCase(numbered))) return numbered
  }
}

/** Layer names are case-insensitive in Rhino. */
function normalizeCase(name: string): string {
  return name.toLowerCase()
}
