/** A node whose objects a model file has. */
interface NamedNode {
  nodeInstanceId: string
  nodeName: string
}

/** A layer's name per node, in the order in which nodes first come. */
export function planLayers(nodes: Iterable<NamedNode>): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { nodeInstanceId, nodeName } of nodes) {
    if (names.has(nodeInstanceId)) continue
    const name = makeUnique(toLayerName(nodeName), taken)
    taken.add(fold(name))
    names.set(nodeInstanceId, name)
  }
  return names
}

/** Rhino takes `::` for a step down to a layer inside, and blanks at the ends for a mistake. */
function toLayerName(name: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/:{2,}/g, ':')
    .trim()
  return clean === '' ? 'Node' : clean.slice(0, 200)
}

function makeUnique(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(fold(name))) return name
  for (let number = 2; ; number++) {
    const numbered = `${name} ${number}`
    if (!taken.has(fold(numbered))) return numbered
  }
}

/** Rhino tells layers apart by their names without regard to case. */
function fold(name: string): string {
  return name.toLowerCase()
}
