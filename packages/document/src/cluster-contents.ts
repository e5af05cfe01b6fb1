import type { GraphContent } from '@meadow/contract'

/** What is inside a cluster: a graph of its own, which the document does not hold (`ClusterState`). */
export interface ClusterContent {
  content: GraphContent
  /** For ports of the cluster node, by port id: the Cluster Input or Cluster Output inside that stands for it. */
  hooks: ReadonlyMap<string, string>
  /** Of the clusters in it. */
  insides: ClusterContents
}

/** What is inside clusters, by node id. Where nobody can look inside: why, as the end of a sentence. */
export type ClusterContents = ReadonlyMap<string, ClusterContent | { unknown: string }>
