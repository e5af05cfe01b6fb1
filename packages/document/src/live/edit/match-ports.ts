/** What ports are matched by. */
export interface MatchedPort {
  name: string
  typeName: string
}

/**
 * Returns the index of the new port that takes the place of each old port of one side, or undefined: the new port of
 * the same name; then the first free one of the same type; then the one at the same position, if it takes such data. No
 * new port is taken twice. An old port that nothing depends on is undefined, and takes no place.
 */
export function matchPorts(
  olds: readonly (MatchedPort | undefined)[],
  news: readonly MatchedPort[],
): (number | undefined)[] {
  const found: (number | undefined)[] = olds.map(() => undefined)
  const isFree = (index: number) => index < news.length && !found.includes(index)
  const match = (find: (old: MatchedPort, position: number) => number) => {
    for (const [position, old] of olds.entries()) {
      if (!old || found[position] !== undefined) continue
      const index = find(old, position)
      if (index >= 0 && isFree(index)) found[position] = index
    }
  }
  match(({ name, typeName }) =>
    news.findIndex((port) => port.name === name && mayTake(typeName, port.typeName)),
  )
  match(({ typeName }) => news.findIndex((port, index) => isFree(index) && port.typeName === typeName))
  match(({ typeName }, position) =>
    isFree(position) && mayTake(typeName, news[position]!.typeName) ? position : -1,
  )
  return found
}

/** Types of ports that take data of any type. */
const ANY: readonly string[] = ['Data', 'Variant']
const CURVES = ['Curve', 'Line', 'Circle', 'Circular Arc', 'Rectangle']
const BODIES = ['Surface', 'Brep', 'Box', 'Twisted Box', 'SubD', 'Mesh']
/** Types of which each takes data of the others, or at least of most. */
const FAMILIES: readonly (readonly string[])[] = [
  ['Number', 'Integer', 'Boolean', 'Text'],
  ['Point', 'Vector'],
  ['Point', 'Plane'],
  CURVES,
  BODIES,
  ['Geometry', 'Group', 'Point', 'Plane', ...CURVES, ...BODIES],
]

/** Whether a port of one type can be where a port of another type was: its data are the same, or are converted. */
function mayTake(old: string, next: string): boolean {
  if (old === next || ANY.includes(old) || ANY.includes(next)) return true
  const family = FAMILIES.find((types) => types.includes(old) && types.includes(next))
  // What is a curve and what is a body are both geometry, but neither is the other.
  if (family !== FAMILIES.at(-1)) return family !== undefined
  return old === 'Geometry' || next === 'Geometry'
}
