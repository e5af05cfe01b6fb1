import type { GraphContent, Node } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { CLUSTER, listUnsolvable, type Unsolvable } from '@meadow/solver'
import { hashGraph } from './graph-hash.ts'
import { textOfScript } from './scripts.ts'
import { cut, hash, identityOf, listUsesOfNode, type Use } from './uses-of-node.ts'

/** A use of a document, with the number of nodes. */
export interface CountedUse extends Use {
  /** Nodes of the document itself. */
  nodes: number
  /** Nodes inside its clusters. */
  nested: number
}

/** What the index has of a document. */
export interface DocumentUses {
  uses: CountedUse[]
  /** The number of its nodes, without those inside clusters. */
  nodes: number
  /** Equal for duplicates (see `hashGraph`); null where that is not known, and for a document without nodes. */
  graphHash: string | null
  /** Why something in it is not in the index: a sentence without its full stop. Null when everything is. */
  gap: string | null
}

/** The most different uses of a document. More have only been seen in files made for tests. */
const MAX_USES = 20_000
/** The length of all its different scripts, in UTF-16 code units. */
const MAX_SCRIPTS_LENGTH = 8_000_000

/** Everything that a document uses, with what is inside its clusters. */
export function listDocumentUses(content: GraphContent, clusters: ClusterContents): DocumentUses {
  const counted = new Map<string, CountedUse>()
  let gap: string | null = null
  let scriptsLength = 0
  const count = (use: Use, isNested: boolean) => {
    const identity = identityOf(use)
    const known = counted.get(identity)
    if (!known && counted.size >= MAX_USES) {
      gap ??= `It uses more than ${MAX_USES.toLocaleString('en')} different things`
      return
    }
    if (!known && use.text !== undefined) {
      if (scriptsLength + use.text.length > MAX_SCRIPTS_LENGTH) {
        gap ??= 'Its scripts are longer than eight million characters'
        return
      }
      scriptsLength += use.text.length
    }
    const one = known ?? { ...use, nodes: 0, nested: 0 }
    counted.set(identity, one)
    if (isNested) one.nested++
    else one.nodes++
  }
  for (const { node, clusterPath } of walkNodes(content, clusters)) {
    if (textOfScript(node)?.isCut) gap ??= 'A script is longer than a million characters'
    for (const use of listUsesOfNode(node)) count(use, clusterPath.length > 0)
  }
  for (const node of listUnsolvable(content, clusters)) {
    if (node.kind === 'cluster') gap ??= node.reason
    count(toUse(node), node.cluster !== undefined)
  }
  const nodes = Object.keys(content.nodes).length
  return { uses: [...counted.values()], nodes, graphHash: hashGraph(content, clusters), gap }
}

/** What cannot be solved is counted by component and reason. */
function toUse({ name, kind, reason, library }: Unsolvable): Use {
  const detail = JSON.stringify({ kind, reason, ...(library && { library }) })
  return { kind: 'unsolvable', key: hash(name + detail), version: '', name: cut(name), detail }
}

/** A node, and the clusters that it is in, from the document inwards. */
export interface WalkedNode {
  node: Node
  clusterPath: readonly Node[]
}

/** The nodes of a document and of its clusters, in the order of the document. */
export function* walkNodes(
  { nodes }: GraphContent,
  clusters: ClusterContents,
  clusterPath: readonly Node[] = [],
): Generator<WalkedNode> {
  for (const node of Object.values(nodes)) {
    yield { node, clusterPath }
    const inside = node.templateId === CLUSTER ? clusters.get(node.instanceId) : undefined
    if (inside && !('unknown' in inside)) {
      yield* walkNodes(inside.content, inside.clusters, [...clusterPath, node])
    }
  }
}
