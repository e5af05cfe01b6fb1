import type { GraphContent, Node, Port } from '@meadow/contract'
import { CLUSTER } from './node-state.ts'

/** Members of a node's state that affect only its appearance on the canvas, not the result of a solve. */
export const APPEARANCE: ReadonlySet<string> = new Set([
  'size',
  'snaps',
  'colour',
  'alignment',
  'wraps',
  'drawsIndices',
  'drawsPaths',
  'font',
  'fontSize',
  'isBold',
  'isItalic',
  'corners',
  'width',
  'lines',
])

/** Options of a port that affect only its appearance. */
export const PORT_APPEARANCE: ReadonlySet<string> = new Set(['hidden'])

type Hash = readonly [first: number, second: number]

/** The hashes of nodes by node object: nodes are not changed, but replaced. */
const known = new WeakMap<Node, Hash>()

/**
 * A text that is the same for two contents of a document exactly if a solve computes the same from them, as far as their
 * nodes, wires, values, ports, flags and enabled states decide. Positions, names of nodes, groups and previews do not
 * count, and neither does the order of nodes. It detects changes; it does not protect from someone who looks for two
 * contents with the same one. Repeated calls cost only the nodes that are new objects.
 */
export function fingerprintOf({ nodes }: GraphContent): string {
  let [first, second] = [0, 0]
  for (const node of Object.values(nodes)) {
    let hash = known.get(node)
    if (!hash) {
      const whole = new OrderedHash()
      whole.add(describe(node))
      hash = whole.end()
      known.set(node, hash)
    }
    first = (first + hash[0]) >>> 0
    second = (second + hash[1]) >>> 0
  }
  return [first, second].map((part) => part.toString(16).padStart(8, '0')).join('')
}

/**
 * Returns `fingerprintOf` with what clusters contain: `file` is the digest of the imported file that they are read
 * from.
 */
export function fingerprintWithFile(content: GraphContent, file: string | null): string {
  const hasClusters = Object.values(content.nodes).some(({ templateId }) => templateId === CLUSTER)
  return file !== null && hasClusters ? `${fingerprintOf(content)} ${file}` : fingerprintOf(content)
}

function describe(node: Node) {
  const { instanceId, templateId, status, inputs, outputs, sources, values, ports, state = {} } = node
  const members = Object.entries(state).filter(([name]) => !APPEARANCE.has(name))
  const shown = Object.entries(ports).map(([id, port]) => [id, withoutAppearance(port)])
  return [
    instanceId,
    templateId,
    status.isEnabled,
    inputs,
    outputs,
    sources,
    values,
    Object.fromEntries(shown),
    members.sort(),
  ]
}

/** Removes what is only appearance from a port; most ports stay the same objects. */
function withoutAppearance(port: Port): Port {
  const isPlain = port.wireDisplay === undefined && !port.options?.some((one) => PORT_APPEARANCE.has(one))
  if (isPlain) return port
  const { wireDisplay, options, ...rest } = port
  const computing = options?.filter((option) => !PORT_APPEARANCE.has(option)) ?? []
  return computing.length > 0 ? { ...rest, options: computing } : rest
}

const CODES = { quote: 0x22, comma: 0x2c, open: 0x5b, backslash: 0x5c, close: 0x5d } as const

/**
 * Hashes values as JSON with the members of each object as pairs in the order of their names: an object would put names
 * that are numbers first. Neither the text nor the pairs are made, which takes a third of the time. The hash has 64 bits in
 * two halves. Source: cyrb53 by bryc (public domain), which multiplies as in MurmurHash3.
 */
class OrderedHash {
  /** Signed, like what `Math.imul` returns: V8 keeps larger numbers outside the object. */
  #first = 0xdeadbeef | 0
  #second = 0x41c6ce57

  add(value: unknown): void {
    if (typeof value === 'string') this.#addString(value)
    else if (typeof value !== 'object' || value === null) this.#addText(JSON.stringify(value ?? null))
    else {
      this.#addUnit(CODES.open)
      if (Array.isArray(value)) this.#addItems(value)
      else this.#addMembers(value as Record<string, unknown>)
      this.#addUnit(CODES.close)
    }
  }

  #addItems(items: readonly unknown[]): void {
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.#addUnit(CODES.comma)
      this.add(items[index])
    }
  }

  #addMembers(members: Record<string, unknown>): void {
    const names = sortNames(Object.keys(members))
    for (let index = 0; index < names.length; index++) {
      if (index > 0) this.#addUnit(CODES.comma)
      const name = names[index]!
      this.#addUnit(CODES.open)
      this.#addString(name)
      this.#addUnit(CODES.comma)
      this.add(members[name])
      this.#addUnit(CODES.close)
    }
  }

  #addString(text: string): void {
    if (hasEscapes(text)) this.#addText(JSON.stringify(text))
    else {
      this.#addUnit(CODES.quote)
      this.#addText(text)
      this.#addUnit(CODES.quote)
    }
  }

  #addText(text: string): void {
    for (let index = 0; index < text.length; index++) this.#addUnit(text.charCodeAt(index))
  }

  #addUnit(unit: number): void {
    this.#first = Math.imul(this.#first ^ unit, 0x9e3779b1)
    this.#second = Math.imul(this.#second ^ unit, 0x5f356495)
  }

  end(): Hash {
    let [a, b] = [this.#first, this.#second]
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
    return [a >>> 0, b >>> 0]
  }
}

/** Whether JSON writes a part of the text with a backslash. A loop takes half the time of an expression. */
function hasEscapes(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit === CODES.quote || unit === CODES.backslash) return true
    if (unit >= 0xd800 && unit <= 0xdfff) return true
  }
  return false
}

const FEW_NAMES = 12

/** Sorts names in place; most objects have few, which takes a fifth of the time of `sort`. */
function sortNames(names: string[]): string[] {
  if (names.length > FEW_NAMES) return names.sort()
  for (let end = 1; end < names.length; end++) {
    const name = names[end]!
    let at = end
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!
    names[at] = name
  }
  return names
}
