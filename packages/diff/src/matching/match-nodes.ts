import { APPEARANCE, type Node } from '@meadow/document'
import type { GraphIndex, IndexedNode } from './graph-index.ts'

/** Which nodes of two graphs are the same. */
export interface Matching {
  /** The id in the newer graph, by the id in the older one. */
  readonly afterIds: ReadonlyMap<string, string>
  readonly beforeIds: ReadonlyMap<string, string>
}

/** How far the neighbourhood of a node is looked at. Long rows of equal nodes are told apart by their positions. */
const ROUNDS = 8

/** How often what was found may lead to more. */
const MAX_PROPAGATIONS = 20

/** Nodes of one class without anything of their own are the same only within this distance, in canvas units. */
const NEARBY = 300

/** A node without a counterpart of the same id. */
interface Candidate {
  id: string
  indexed: IndexedNode
  neighbours: { label: string; id: string }[]
  /** Its class after each round: equal numbers are equal contents in equal neighbourhoods. */
  classes: number[]
  position: string
  isDistinctive: boolean
}

/**
 * Finds the nodes that are the same in two graphs: by id, then by structure, from the strictest rule to the loosest
 * (rules DIFF-3 to DIFF-5 of SPEC.md). The cost grows with the number of nodes and wires. The result depends on nothing
 * else but the two graphs, also not on the order of their records.
 */
export function matchNodes(before: GraphIndex, after: GraphIndex): Matching {
  const afterIds = new Map<string, string>()
  const beforeIds = new Map<string, string>()
  const match = (beforeId: string, afterId: string) => {
    afterIds.set(beforeId, afterId)
    beforeIds.set(afterId, beforeId)
  }
  for (const id of before.keys()) if (after.has(id)) match(id, id)
  const matching = { afterIds, beforeIds }
  if (afterIds.size < before.size && afterIds.size < after.size)
    matchByStructure(before, after, matching, match)
  return matching
}

type Match = (beforeId: string, afterId: string) => void

function matchByStructure(before: GraphIndex, after: GraphIndex, matching: Matching, match: Match): void {
  const { afterIds, beforeIds } = matching
  const allLeft = listCandidates(before, afterIds)
  const allRight = listCandidates(after, beforeIds)
  classify(allLeft, allRight, matching)

  /** Pairs those of equal keys, as `pair` finds them. A candidate without a key is left out. */
  const matchBy = (keyOf: (candidate: Candidate, isLeft: boolean) => string | undefined, pair = onlyOnes) => {
    const left = allLeft.filter(({ id }) => !afterIds.has(id))
    const right = allRight.filter(({ id }) => !beforeIds.has(id))
    if (left.length === 0 || right.length === 0) return false
    const [ofLeft, ofRight] = [
      bucket(left, (one) => keyOf(one, true)),
      bucket(right, (one) => keyOf(one, false)),
    ]
    let found = false
    for (const [key, some] of ofLeft) {
      for (const [one, other] of pair(some, ofRight.get(key) ?? [])) {
        match(one.id, other.id)
        found = true
      }
    }
    return found
  }
  /** The wires to nodes whose counterpart is known. */
  const surroundings = (
    { neighbours }: Candidate,
    isLeft: boolean,
    withPorts: boolean,
  ): string | undefined => {
    const known = neighbours.flatMap(({ label, id }) => {
      const found = isLeft ? (afterIds.has(id) ? id : undefined) : beforeIds.get(id)
      return found === undefined ? [] : [withPorts ? `${label} ${found}` : found]
    })
    return known.length === 0 ? undefined : known.sort().join('\n')
  }
  const propagate = () => {
    for (let i = 0; i < MAX_PROPAGATIONS; i++) {
      const found = matchBy((candidate, isLeft) => {
        const around = surroundings(candidate, isLeft, true)
        return around && `${candidate.indexed.node.templateId}\n${around}`
      })
      if (!found) return
    }
  }

  for (let round = ROUNDS; round >= 0; round--) {
    matchBy(({ classes }) => String(classes[round]), round === ROUNDS ? inOrderOfPlace : withEvidence)
  }
  matchBy(({ indexed, position }) => `${indexed.node.templateId} ${position}`)
  propagate()
  matchBy(({ indexed: { node } }) => (hasOwnName(node) ? `${node.templateId} ${node.nickName}` : undefined))
  propagate()
  // What is left and the same in place is another component instead of the old one.
  matchBy(({ position }) => position)
  matchBy((candidate, isLeft) => surroundings(candidate, isLeft, false))
}

function listCandidates(index: GraphIndex, known: ReadonlyMap<string, string>): Candidate[] {
  const found: Candidate[] = []
  for (const [id, indexed] of index) {
    if (known.has(id)) continue
    const { node, inputs, outputs, connections } = indexed
    const neighbours = connections.map(({ side, portId, other }) => {
      const far = index.get(other.nodeInstanceId)
      const near = (side === 'input' ? inputs : outputs).indexOf(portId)
      const end = (side === 'input' ? far?.outputs : far?.inputs)?.indexOf(other.portInstanceId) ?? -1
      return { label: `${side[0]}${near}:${end}`, id: other.nodeInstanceId }
    })
    const position = `${Math.fround(node.position.x)},${Math.fround(node.position.y)}`
    const isDistinctive = hasOwnName(node) || Object.keys(node.values).length > 0 || holdsOwn(node.state)
    found.push({ id, indexed, neighbours, classes: [], position, isDistinctive })
  }
  return found
}

const hasOwnName = ({ name, nickName }: Node): boolean => nickName !== '' && nickName !== name

/** Whether a state has more than switches. */
const holdsOwn = (state: Node['state']): boolean =>
  state !== undefined && state.kind !== 'options' && state.kind !== 'plugin'

/** Numbers the contents, then round by round the contents with those around them, as in colour refinement. */
function classify(left: readonly Candidate[], right: readonly Candidate[], matching: Matching): void {
  const numbers = new Map<string, number>()
  const numberOf = (text: string) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
  const sides = [
    {
      candidates: left,
      byId: new Map(left.map((one) => [one.id, one])),
      common: (id: string) => (matching.afterIds.has(id) ? id : ''),
    },
    {
      candidates: right,
      byId: new Map(right.map((one) => [one.id, one])),
      common: (id: string) => matching.beforeIds.get(id) ?? '',
    },
  ]
  for (const { candidates } of sides) {
    for (const one of candidates) one.classes.push(numberOf(writeContent(one.indexed)))
  }
  for (let round = 1; round <= ROUNDS; round++) {
    numbers.clear()
    for (const { candidates, byId, common } of sides) {
      for (const one of candidates) {
        const around = one.neighbours.map(
          ({ label, id }) => `${label} ${byId.get(id)?.classes[round - 1] ?? common(id)}`,
        )
        one.classes.push(numberOf(`${one.classes[round - 1]} ${around.sort().join()}`))
      }
    }
  }
}

/** What makes up a node besides ids, wires and layout, as a text. */
function writeContent({ node, inputs, outputs }: IndexedNode): string {
  const { templateId, name, nickName, status, state = {} } = node
  const portsOf = (ids: readonly string[]) =>
    ids.map((id) => {
      const port = node.ports[id]
      const said = port && [
        port.name,
        port.nickName,
        port.typeName,
        port.access,
        port.flags,
        port.expression,
        port.options,
      ]
      return [said, node.values[id]]
    })
  const members = Object.keys(state)
    .filter((member) => !APPEARANCE.has(member))
    .sort()
    .map((member) => [member, state[member]])
  return JSON.stringify([templateId, name, nickName, status, portsOf(inputs), portsOf(outputs), members])
}

type Pairs = (readonly [Candidate, Candidate])[]

function bucket(
  candidates: readonly Candidate[],
  keyOf: (candidate: Candidate) => string | undefined,
): Map<string, Candidate[]> {
  const buckets = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const key = keyOf(candidate)
    if (key === undefined) continue
    const known = buckets.get(key)
    if (known) known.push(candidate)
    else buckets.set(key, [candidate])
  }
  return buckets
}

const onlyOnes = (left: readonly Candidate[], right: readonly Candidate[]): Pairs =>
  left.length === 1 && right.length === 1 ? [[left[0]!, right[0]!]] : []

/** Pairs of the same position, then of the only ones that something else speaks for. */
function withEvidence(left: readonly Candidate[], right: readonly Candidate[]): Pairs {
  const { pairs, otherLeft, otherRight } = inSamePlace(left, right)
  return [...pairs, ...onlyOnes(otherLeft, otherRight).filter(([one, other]) => isLikely(one, other))]
}

/** As `withEvidence`; of several equal ones, the first from the left with the first from the left. */
function inOrderOfPlace(left: readonly Candidate[], right: readonly Candidate[]): Pairs {
  const { pairs, otherLeft, otherRight } = inSamePlace(left, right)
  if (otherLeft.length !== otherRight.length) return pairs
  const [first, second] = [otherLeft.sort(byPlace), otherRight.sort(byPlace)]
  const others = first
    .map((one, i) => [one, second[i]!] as const)
    .filter(([one, other]) => isLikely(one, other))
  return [...pairs, ...others]
}

function inSamePlace(left: readonly Candidate[], right: readonly Candidate[]) {
  if (left.length === 1 && right.length === 1) {
    return { pairs: [] as Pairs, otherLeft: [...left], otherRight: [...right] }
  }
  const places = bucket(right, ({ position }) => position)
  const pairs: Pairs = []
  const otherLeft = left.filter((one) => {
    const found = places.get(one.position)?.shift()
    if (found) pairs.push([one, found])
    return !found
  })
  const taken = new Set(pairs.map(([, other]) => other))
  return { pairs, otherLeft, otherRight: right.filter((other) => !taken.has(other)) }
}

function isLikely(one: Candidate, other: Candidate): boolean {
  if (one.neighbours.length > 0 || one.isDistinctive) return true
  const [a, b] = [one.indexed.node.position, other.indexed.node.position]
  return Math.hypot(a.x - b.x, a.y - b.y) <= NEARBY
}

function byPlace(a: Candidate, b: Candidate): number {
  const [one, other] = [a.indexed.node.position, b.indexed.node.position]
  return one.x - other.x || one.y - other.y || (a.id < b.id ? -1 : 1)
}
