import type { ClusterContent, ClusterContents, GraphContent } from '@meadow/document'
import { inflateRaw } from '@meadow/inflate'
import { readInflatedArchive } from '../archive/forms/read-binary.ts'
import { checkInflated, readArchive } from '../archive/read-archive.ts'
import type { Chunk } from '../archive/tree/archive.ts'
import { findChunk, findItem } from '../archive/tree/find.ts'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { CLASS } from './model/class-ids.ts'
import { type DefinitionObject, getDefinition, listGuids, listObjects } from './model/definition-object.ts'
import { readGraph } from './reading/read-graph.ts'
import { createDefinitionContext, type DefinitionContext } from './reading/values/value-context.ts'

/** Limits for all clusters of one file together. Clusters beyond a limit are `unknown`. */
export interface ClusterLimits {
  /** Bytes that they inflate to. Default 32 MiB; the largest real file has 2 MB. */
  readonly maxBytes: number
  /** Number of clusters. Default 1,000; the largest real file has 83. */
  readonly maxClusters: number
  /** Nesting of clusters. Default 30; the deepest real file has 2. */
  readonly maxDepth: number
}

const DEFAULT_LIMITS: ClusterLimits = { maxBytes: 32 * 1024 * 1024, maxClusters: 1000, maxDepth: 30 }

/**
 * Reads the contents of all clusters in the bytes of a .gh or .ghx file, by node id, including nested clusters (rules
 * GHD-49 to GHD-52 of SPEC.md). The content of a cluster that cannot be read is `unknown`, with the reason.
 * Fails: `GrasshopperError` as `readArchive`, and with `not_a_definition` and `malformed` as `readDefinition`.
 */
export function readClusters(bytes: Uint8Array, limits: Partial<ClusterLimits> = {}): ClusterContents {
  const { maxBytes, maxClusters, maxDepth } = { ...DEFAULT_LIMITS, ...limits }
  const objects = listObjects(getDefinition(readArchive(bytes)))
  const context = createDefinitionContext([])
  return readAll(objects, { context, maxDepth, bytesLeft: maxBytes, clustersLeft: maxClusters }, 1)
}

/** The remaining limits of a file. */
interface Allowance {
  readonly context: DefinitionContext
  readonly maxDepth: number
  bytesLeft: number
  clustersLeft: number
}

function readAll(objects: readonly DefinitionObject[], allowance: Allowance, depth: number): ClusterContents {
  const clusters = objects.filter(({ classId }) => classId === CLASS.cluster)
  return new Map(clusters.map((object) => [object.instanceId, readCluster(object, allowance, depth)]))
}

function readCluster(object: DefinitionObject, allowance: Allowance, depth: number) {
  const packed = findItem(object.container, 'ClusterDocument', 'bytearray')
  if (!packed)
    return { unknown: isEncrypted(object) ? 'it is behind a password' : 'the file does not hold it' }
  if (depth > allowance.maxDepth) return { unknown: 'it is in too many other clusters' }
  if (--allowance.clustersLeft < 0) return { unknown: 'the file has too many clusters' }
  try {
    return readContent(object, unpack(packed, allowance), allowance, depth)
  } catch (error) {
    if (error instanceof GrasshopperError) return { unknown: `it cannot be read (${error.message})` }
    throw error
  }
}

const isEncrypted = ({ container }: DefinitionObject): boolean =>
  container.items.some(({ name }) => name === 'EncryptedDocument')

/** The root of a cluster's archive. An archive that is too large uses up the allowance, so a file has one bomb at most. */
function unpack(packed: Uint8Array, allowance: Allowance): Chunk {
  const { bytesLeft } = allowance
  const inflated = inflateRaw(packed, bytesLeft)
  allowance.bytesLeft = inflated.end === 'too_large' ? 0 : bytesLeft - inflated.bytes.length
  const { root } = readInflatedArchive(checkInflated(inflated, packed, bytesLeft))
  if (root.name === 'Document') return root
  throw new GrasshopperError('malformed', `The archive of a cluster is a ${root.name}`, '')
}

function readContent(
  cluster: DefinitionObject,
  document: Chunk,
  allowance: Allowance,
  depth: number,
): ClusterContent {
  const objects = listObjects(document)
  const content = readGraph(document, objects, allowance.context)
  return {
    content,
    hooks: readHooks(cluster, content),
    clusters: readAll(objects, allowance, depth + 1),
  }
}

/** For each port, the object in the cluster that stands for it, from the chunk ParamMap. */
function readHooks({ container, ports }: DefinitionObject, { nodes }: GraphContent): Map<string, string> {
  const map = findChunk(container, 'ParamMap')
  const [keys, values] = map ? [listGuids(map, 'Key'), listGuids(map, 'Value')] : []
  const hookOf = new Map([...(keys ?? [])].map(([index, portId]) => [portId, values?.get(index) ?? '']))
  const listHooks = (side: readonly { id: string }[], classId: string) =>
    side.flatMap(({ id }): [string, string][] => {
      const hook = hookOf.get(id)
      return hook !== undefined && nodes[hook]?.templateId === classId ? [[id, hook]] : []
    })
  return new Map([
    ...listHooks(ports.inputs, CLASS.clusterInput),
    ...listHooks(ports.outputs, CLASS.clusterOutput),
  ])
}
