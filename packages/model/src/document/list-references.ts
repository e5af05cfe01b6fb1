import type { DataTree, DataValue, GraphContent, Node } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'

/** A value that is an object of a Rhino model, which the document does not have. */
export type Reference = DataValue & { referenceId: string }

function isReference(value: DataValue | null): value is Reference {
  return value?.referenceId !== undefined && !value.geometry
}

/** The ids of the objects in Rhino models that a solve needs, in lower case, each once. */
export function listReferencedIds(content: GraphContent, clusters: ClusterContents): string[] {
  const ids = new Set<string>()
  mapReferences(content, clusters, (reference) => {
    ids.add(reference.referenceId.toLowerCase())
    return reference
  })
  return [...ids]
}

/** A document and the contents of its clusters. */
export interface WholeGraph {
  content: GraphContent
  clusters: ClusterContents
}

/** Replaces the references of enabled nodes, of the document and inside its clusters, as far as a solve uses them. */
export function mapReferences(
  content: GraphContent,
  clusters: ClusterContents,
  change: (reference: Reference) => DataValue,
): WholeGraph {
  const nodes = Object.fromEntries(
    Object.entries(content.nodes).map(([id, node]) => [id, mapNode(node, change)]),
  )
  const inner = [...clusters].map(([id, cluster]) => {
    if ('unknown' in cluster || !content.nodes[id]?.status.isEnabled) return [id, cluster] as const
    const mapped = mapReferences(cluster.content, cluster.clusters, change)
    return [id, { ...cluster, ...mapped }] as const
  })
  return { content: { ...content, nodes }, clusters: new Map(inner) }
}

function mapNode(node: Node, change: (reference: Reference) => DataValue): Node {
  if (!node.status.isEnabled) return node
  const ports = Object.entries(node.values)
  const hasReferences = ports.some(([id, tree]) => isUsed(node, id) && hasReference(tree))
  if (!hasReferences) return node
  const values = ports.map(([id, tree]) => [id, isUsed(node, id) ? mapTree(tree, change) : tree] as const)
  return { ...node, values: Object.fromEntries(values) }
}

/** The values of a port with wires are not used. */
const isUsed = ({ sources }: Node, portId: string): boolean => (sources[portId]?.length ?? 0) === 0

const hasReference = ({ branches }: DataTree): boolean =>
  branches.some(({ values }) => values.some(isReference))

const mapTree = ({ branches }: DataTree, change: (reference: Reference) => DataValue): DataTree => ({
  branches: branches.map(({ path, values }) => ({
    path,
    values: values.map((value) => (isReference(value) ? change(value) : value)),
  })),
})
