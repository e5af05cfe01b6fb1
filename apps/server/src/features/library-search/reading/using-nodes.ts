import type { GraphContent, Node } from '@meadow/contract'
import type { UseReference, UsingNode } from '@meadow/contract/web'
import { type ClusterContents, findComponentName } from '@meadow/document'
import { walkNodes } from './document-uses.ts'
import { foldScript, textOfScript } from './scripts.ts'
import { cut, listUsesOfNode } from './uses-of-node.ts'

/** The nodes of an answer. */
const MAX_NODES = 1000
/** The part of a line that is shown, in UTF-16 code units. */
const MAX_LINE = 200

/** The nodes of a document, and of its clusters, that use something. `keys` are those of a model or library item in the index. */
export function listUsingNodes(
  content: GraphContent,
  clusters: ClusterContents,
  reference: UseReference,
  keys: readonly string[] = [],
): UsingNode[] {
  const matches = createMatcher(reference, new Set(keys))
  const found: UsingNode[] = []
  for (const { node, clusterPath } of walkNodes(content, clusters)) {
    if (found.length === MAX_NODES) break
    const match = matches(node)
    if (!match) continue
    found.push({
      nodeInstanceId: (clusterPath[0] ?? node).instanceId,
      name: nameOf(node),
      nickName: cut(node.nickName),
      clusters: clusterPath.map((cluster) => cut(cluster.nickName || cluster.name || 'Cluster')),
      ...(typeof match === 'object' && { line: match }),
    })
  }
  return found
}

const nameOf = (node: Node): string => cut(node.name || findComponentName(node.templateId) || node.nickName)

type Match = boolean | { number: number; text: string }

/** What the keys of a file are in the index. */
const KIND_OF_KEYS = { model: 'object', item: 'origin' } as const

/** Returns a function that looks for a use in a node; for scripts, a match is the line. */
function createMatcher(
  { kind, key, version = '' }: UseReference,
  keys: ReadonlySet<string>,
): (node: Node) => Match {
  if (kind === 'script') {
    const wanted = foldScript(key)
    return (node) => findLine(textOfScript(node)?.text, wanted)
  }
  if (kind === 'model' || kind === 'item') {
    const indexed = KIND_OF_KEYS[kind]
    return (node) => listUsesOfNode(node).some((use) => use.kind === indexed && keys.has(use.key))
  }
  return (node) =>
    listUsesOfNode(node).some((use) => use.kind === kind && use.key === key && use.version === version)
}

/** The line in which the text begins. */
function findLine(text: string | undefined, wanted: string): Match {
  const at = text === undefined ? -1 : foldScript(text).indexOf(wanted)
  if (text === undefined || at < 0) return false
  // Lower case may be longer than upper case, which moves the place by a few characters.
  const before = text.slice(0, Math.min(at, text.length))
  const number = before.split('\n').length
  const line = text.split('\n')[number - 1] ?? ''
  return { number, text: cut(line.trim().slice(0, MAX_LINE)) }
}
