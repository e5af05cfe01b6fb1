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
      hash = hashText(JSON.stringify(inOneOrder(describe(node))))
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

/**
 * Returns a value with the members of each object as pairs in the order of their names: an object would put names that
 * are numbers first. This takes half the time of a replacer of `JSON.stringify`.
 */
function inOneOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOneOrder)
  const names = Object.keys(value).sort()
  return names.map((name) => [name, inOneOrder((value as Record<string, unknown>)[name])])
}

/** 64 bits in two halves. Source: cyrb53 by bryc (public domain), which multiplies as in MurmurHash3. */
function hashText(text: string): Hash {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return [a >>> 0, b >>> 0]
}
