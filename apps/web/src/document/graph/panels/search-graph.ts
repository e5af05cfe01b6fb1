import type { GraphContent, Node } from '@meadow/contract'
import { compareReadingOrder } from '../layout/find-nodes.ts'
import { labelOf } from '../layout/node-box.ts'
import { describeNode } from '../properties/describe-node.ts'

const MAX_FOUND = 100

/** The greatest length of the text of a match. Longer texts are cut around the place. */
const MAX_NOTE = 60

/** Nodes that match a search: one, or those of a group. */
export interface FoundNodes {
  nodeIds: readonly [string, ...string[]]
  label: string
  /** What matches, where it is not the label: `Source: … x.Length …`. */
  match: string
}

/** A text of a node that can be looked for. */
interface NodeText {
  /** The name of what the text belongs to; empty for names. */
  of: string
  text: string
}

/**
 * What contains the typed text: groups by label; nodes by nickname, component and plug-in, then by the text in them, the
 * settings and the values that were typed in. A number finds the numbers that are equal to it: `2` finds `2.0`,
 * not `12`.
 */
export function searchGraph(
  { nodes, groups }: Pick<GraphContent, 'nodes' | 'groups'>,
  typed: string,
): FoundNodes[] {
  const query = typed.trim().toLowerCase()
  const byName: Node[] = []
  const byText: { node: Node; match: string }[] = []
  for (const node of Object.values(nodes)) {
    const found = textsOf(node).find((text) => contains(text, query))
    if (found?.of === '') byName.push(node)
    else if (found) byText.push({ node, match: `${found.of}: ${cutAround(found.text, query)}` })
  }
  byName.sort(compareReadingOrder)
  byText.sort((a, b) => compareReadingOrder(a.node, b.node))
  const toFound = (node: Node, match = ''): FoundNodes => ({
    nodeIds: [node.instanceId],
    label: labelOf(node),
    match,
  })
  return [
    ...(query === '' ? [] : findGroups(nodes, groups, query)),
    ...byName.map((node) => toFound(node)),
    ...byText.map(({ node, match }) => toFound(node, match)),
  ].slice(0, MAX_FOUND)
}

function findGroups(
  nodes: GraphContent['nodes'],
  groups: GraphContent['groups'],
  query: string,
): FoundNodes[] {
  return groups.flatMap(({ label, nodeInstanceIds }) => {
    const [first, ...more] = nodeInstanceIds.filter((id) => Object.hasOwn(nodes, id))
    if (first === undefined || !label.toLowerCase().includes(query)) return []
    return [{ nodeIds: [first, ...more], label, match: `Group of ${more.length + 1}` }]
  })
}

/** Nodes do not change: an edit makes another object. */
const known = new WeakMap<Node, readonly NodeText[]>()

function textsOf(node: Node): readonly NodeText[] {
  const texts = known.get(node) ?? listTexts(node)
  known.set(node, texts)
  return texts
}

function listTexts(node: Node): NodeText[] {
  const { title, component, plugin, facts, inputs, outputs } = describeNode(node)
  const { text, source } = (node.state ?? {}) as Record<string, unknown>
  const written = { Text: text, Source: source }
  return [
    { of: '', text: [title, node.nickName, component ?? '', plugin ?? ''].join('\n') },
    ...Object.entries(written).flatMap(([of, text]) => (typeof text === 'string' ? [{ of, text }] : [])),
    ...facts.map(([of, text]) => ({ of, text })),
    ...[...inputs, ...outputs].flatMap(({ name, values }) => values.map(({ text }) => ({ of: name, text }))),
  ]
}

function contains({ of, text }: NodeText, query: string): boolean {
  const isNumber = of !== '' && Number.isFinite(Number(query || Number.NaN))
  if (!isNumber) return text.toLowerCase().includes(query)
  return text.match(NUMBERS)?.some((number) => Number(number) === Number(query)) ?? false
}

const NUMBERS = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi

/** Returns the line of a text that has the match in it. A long line is cut around the match. */
function cutAround(text: string, query: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(query))
  const start = text.lastIndexOf('\n', at) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end < 0 ? undefined : end).trim()
  if (line.length <= MAX_NOTE) return line
  const from = Math.max(0, Math.min(at - start - MAX_NOTE / 2, line.length - MAX_NOTE))
  return `${from > 0 ? '…' : ''}${line.slice(from, from + MAX_NOTE)}${from + MAX_NOTE < line.length ? '…' : ''}`
}
