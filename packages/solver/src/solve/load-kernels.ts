import type { GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { type KernelName, type Kernels, openKernels } from '@meadow/geometry/kernels/kernels'
import { findKind } from '../kinds/index.ts'

/**
 * Loads the kernels that the enabled nodes of a document, and of its clusters, need, apart from those that are `loaded`.
 * Most documents need none.
 */
export function loadKernels(
  document: GraphContent,
  clusters?: ClusterContents,
  loaded: Kernels = {},
): Promise<Kernels> {
  return openKernels([...listNeeds(document, clusters)].filter((name) => !loaded[name]))
}

function* listNeeds({ nodes }: GraphContent, clusters?: ClusterContents): Generator<KernelName> {
  for (const { templateId, status } of Object.values(nodes)) {
    const kind = status.isEnabled ? findKind(templateId) : undefined
    if (kind && 'needs' in kind && kind.needs) yield kind.needs
  }
  for (const cluster of clusters?.values() ?? []) {
    if (!('unknown' in cluster)) yield* listNeeds(cluster.content, cluster.clusters)
  }
}
