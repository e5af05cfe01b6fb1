import { CLUSTER, type GraphContent, type Node } from '@meadow/document'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { findPlacedObject, MAX_OBJECT_BYTES, packContainer } from './model/placed-object.ts'
import {
  type ClusterLimits,
  type ReadClusters,
  readClusterContents,
  type UnknownCluster,
} from './read-clusters.ts'
import { openClusterFile, openUserObject, readClusterFile, readUserObject } from './read-library-item.ts'
import { createDefinitionContext } from './reading/values/value-context.ts'
import { cloneObject } from './writing/clone-object.ts'
import { isKnownClass } from './writing/create-object.ts'

/** The limit of what a node keeps of its library item, in characters of base64. */
const MAX_OBJECT_LENGTH = 12 * 2 ** 20

/**
 * The node that a library item places in a document, with the ids of the file (rule GHD-63 of SPEC.md).
 * Fails: `GrasshopperError` as `readUserObject` and `readClusterFile`, and `too_large` for an object that a document
 * cannot keep.
 */
export function placeLibraryItem(bytes: Uint8Array, kind: 'user_object' | 'cluster'): Node {
  const limits = { maxBytes: MAX_OBJECT_BYTES }
  const { name, content } =
    kind === 'cluster' ? readClusterFile(bytes, limits) : readUserObject(bytes, limits)
  const [node] = Object.values(content.nodes)
  if (!node) throw new GrasshopperError('malformed', 'The object is a group, which is no node', '')
  // Nodes whose authors name them are known by the name of the item.
  const isNamed = node.state?.kind === 'cluster' || node.state?.kind === 'script'
  if (!isNamed && isKnownClass(node.templateId)) return node
  const container =
    kind === 'cluster' ? openClusterFile(bytes, limits) : openUserObject(bytes, limits).container
  const object = packContainer(container)
  if (object.length > MAX_OBJECT_LENGTH)
    throw new GrasshopperError('too_large', 'The object is too large', '')
  return {
    ...node,
    ...(isNamed && name.trim() !== '' ? { name } : {}),
    state: { kind: 'placed', ...node.state, object },
  }
}

/**
 * The contents of the clusters of a document that were placed from library items, by node id. A content that cannot be
 * read is unknown, with the reason.
 */
export function readPlacedClusters(
  { nodes }: Pick<GraphContent, 'nodes'>,
  limits: Partial<ClusterLimits> = {},
): ReadClusters {
  const unreadable = new Map<string, UnknownCluster>()
  const objects = Object.values(nodes).flatMap((node) => {
    try {
      const placed = node.templateId === CLUSTER ? findPlacedObject(node) : undefined
      return placed ? [cloneObject(node, placed)] : []
    } catch (error) {
      if (!(error instanceof GrasshopperError)) throw error
      const unknown = `it cannot be read (${error.message})`
      unreadable.set(node.instanceId, { description: '', reason: 'unreadable', unknown })
      return []
    }
  })
  return new Map([...readClusterContents(objects, createDefinitionContext([]), limits), ...unreadable])
}
