import { APPEARANCE, groupBy, type Node } from '@meadow/document'
import type { GraphIndex, IndexedNode } from './graph-index.ts'

/** Which nodes of two graphs are the same. */
export interface Matching {
  /** The id in the newer graph, by the id in the older one. */
  readonly afterIds: ReadonlyMap<string, string>
  readonly beforeIds: ReadonlyMap<string, string>
}

/**
 * The number of wires to which the neighbourhood of a node extends. Longer rows of equal nodes differ by their
 * positions.
 */
const ROUNDS = 5

/** The most rounds in which matched nodes lead to further ones. */
const MAX_PROPAGATIONS = 20

/** Nodes of one class without anything of their own are the same only within this distance, in canvas units. */
const NEARBY = 300

/** The node at the other end of a wire. `label`: the same for wires between ports of the same index and sides. */
interface Neighbour {
  label: number
  id: string
}

/** A node without a counterpart of the same id. */
interface Candidate {
  id: string
  indexed: IndexedNode
  neighbours: Neighbour[]
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
  for (const id of before.nodes.keys()) if (after.nodes.has(id)) match(id, id)
  const matching = { afterIds, beforeIds }
  if (afterIds.size < before.nodes.size && afterIds.size < after.nodes.size)
    matchByStructure(before, after, matching, match)
  return matching
}

type Match = (beforeId: string, afterId: string) => void

function matchByStructure(before: GraphIndex, after: GraphIndex, matching: Matching, match: Match): void {
  const { afterIds, beforeIds } = matching
  const allLeft = listCandidates(before, afterIds)
  const allRight = listCandidates(after, beforeIds)
  classify(allLeft, allRight, matching)

  /** Pairs candidates of equal keys, as `pair` finds them. A candidate without a key is left out. */
  const matchBy = (
    keyOf: (candidate: Candidate, isLeft: boolean) => string | number | undefined,
    pair = onlyOnes,
  ) => {
    const left = allLeft.filter(({ id }) => !afterIds.has(id))
    const right = allRight.filter(({ id }) => !beforeIds.has(id))
    if (left.length === 0 || right.length === 0) return false
    const ofLeft = groupBy(left, (one) => keyOf(one, true))
    const ofRight = groupBy(right, (one) => keyOf(one, false))
    ofLeft.delete(undefined)
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

  const last = (allLeft[0]?.classes.length ?? 1) - 1
  for (let round = last; round >= 0; round--) {
    matchBy(({ classes }) => classes[round], round === last ? inOrderOfPlace : withEvidence)
  }
  matchBy(({ indexed, position }) => `${indexed.node.templateId} ${position}`)
  propagate()
  matchBy(({ indexed: { node } }) => (hasOwnName(node) ? `${node.templateId} ${node.nickName}` : undefined))
  propagate()
  // A node that is left in the place of an old one is another component instead of it.
  matchBy(({ position }) => position)
  matchBy((candidate, isLeft) => surroundings(candidate, isLeft, false))
}

function listCandidates({ nodes }: GraphIndex, known: ReadonlyMap<string, string>): Candidate[] {
  const found: Candidate[] = []
  for (const [id, indexed] of nodes) {
    if (known.has(id)) continue
    const { node, inputs, outputs } = indexed
    const neighbours = indexed.listConnections().map(({ side, portId, other }): Neighbour => {
      const far = nodes.get(other.nodeInstanceId)
      const near = (side === 'input' ? inputs : outputs).indexOf(portId)
      const end = (side === 'input' ? far?.outputs : far?.inputs)?.indexOf(other.portInstanceId) ?? -1
      const ends = (near + 1) * MAX_PORTS + end + 1
      return { label: side === 'input' ? ends : -ends, id: other.nodeInstanceId }
    })
    const position = `${Math.fround(node.position.x)},${Math.fround(node.position.y)}`
    const isDistinctive = hasOwnName(node) || Object.keys(node.values).length > 0 || holdsOwn(node.state)
    found.push({ id, indexed, neighbours, classes: [], position, isDistinctive })
  }
  return found
}

/** Labels of wires are unique for nodes with fewer ports. */
const MAX_PORTS = 10_000

const hasOwnName = ({ name, nickName }: Node): boolean => nickName !== '' && nickName !== name

/** Whether a state has more than switches. */
const holdsOwn = (state: Node['state']): boolean =>
  state !== undefined && state.kind !== 'options' && state.kind !== 'plugin'

/**
 * Gives each content a number, then round by round the contents with those around them, as in colour refinement, until a
 * round tells no more of them apart. The numbers are hashes: unequal neighbourhoods have the same one by a chance of one
 * in 2^53.
 */
function classify(left: readonly Candidate[], right: readonly Candidate[], matching: Matching): void {
  const { afterIds, beforeIds } = matching
  const contents = new Map<string, number>()
  const around = [
    ...listAround(left, (id) => (afterIds.has(id) ? id : '')),
    ...listAround(right, (id) => beforeIds.get(id) ?? ''),
  ]
  const all = [...left, ...right]
  for (const one of all) {
    const text = writeContent(one.indexed)
    const known = contents.get(text) ?? contents.size
    contents.set(text, known)
    one.classes.push(known)
  }
  let count = contents.size
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { one, others } of around) {
      // A sum does not depend on the order of wires.
      let [high, low] = [0, 0]
      for (const { label, other, known } of others) {
        const number = other?.classes[round - 1] ?? known
        high = (high + mix(number, label, HIGH)) | 0
        low = (low + mix(number, label, LOW)) | 0
      }
      const own = one.classes[round - 1]!
      one.classes.push((mix(own, high, HIGH) >>> 0) * 0x200000 + (mix(own, low, LOW) >>> 11))
    }
    const found = new Set(all.map(({ classes }) => classes[round])).size
    if (found === count) return
    count = found
  }
}

/** Lists the candidates around each candidate, or numbers of the nodes whose counterpart is known. */
function listAround(candidates: readonly Candidate[], toCommonId: (id: string) => string) {
  const byId = new Map(candidates.map((one) => [one.id, one]))
  return candidates.map((one) => ({
    one,
    others: one.neighbours.map(({ label, id }) => {
      const other = byId.get(id)
      return { label, other, known: other ? 0 : hashText(toCommonId(id)) }
    }),
  }))
}

const HIGH = 0x9e3779b1
const LOW = 0x85ebca6b

/** 32 mixed bits of two numbers, of which the first has up to 53 bits. Source: the finalizer of MurmurHash3. */
function mix(number: number, other: number, factor: number): number {
  let bits = Math.imul(
    (number | 0) ^ Math.imul((number / 0x100000000) | 0, HIGH) ^ Math.imul(other, LOW),
    factor,
  )
  bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35) + other
  bits = Math.imul(bits ^ (bits >>> 13), factor)
  return bits ^ (bits >>> 16)
}

function hashText(text: string): number {
  let hash = text.length
  for (let i = 0; i < text.length; i++) hash = mix(hash, text.charCodeAt(i), HIGH)
  return hash
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

const onlyOnes = (left: readonly Candidate[], right: readonly Candidate[]): Pairs =>
  left.length === 1 && right.length === 1 ? [[left[0]!, right[0]!]] : []

/** Pairs candidates at the same position, then the only ones left if they are likely (`isLikely`). */
function withEvidence(left: readonly Candidate[], right: readonly Candidate[]): Pairs {
  const { pairs, otherLeft, otherRight } = inSamePlace(left, right)
  return [...pairs, ...onlyOnes(otherLeft, otherRight).filter(([one, other]) => isLikely(one, other))]
}

/** Pairs candidates at the same position, then as many others from left to right if they are likely (`isLikely`). */
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
  const places = groupBy(right, ({ position }) => position)
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
