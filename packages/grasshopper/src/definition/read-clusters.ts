import type { Author, ClusterContent, GraphContent } from '@meadow/document'
import { inflateRaw } from '@meadow/inflate'
import { readInflatedArchive } from '../archive/forms/read-binary.ts'
import { checkInflated, readArchive } from '../archive/read-archive.ts'
import type { Archive, Chunk } from '../archive/tree/archive.ts'
import { findChunk, findItem } from '../archive/tree/find.ts'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { CLASS } from './model/class-ids.ts'
import type { Library } from './model/definition.ts'
import {
  countLibraryUses,
  type DefinitionObject,
  getDefinition,
  listGuids,
  listObjects,
} from './model/definition-object.ts'
import { findAuthor } from './model/file-parts.ts'
import { findText } from './model/text.ts'
import { listLibraries, readGraph } from './reading/read-graph.ts'
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

/** What the file says about a cluster, whether its content is known or not. */
interface ClusterFacts {
  description: string
  author?: Author
}

/** The content of a cluster, with what the document does not show of it. */
export interface KnownCluster extends ClusterContent, ClusterFacts {
  clusters: ReadClusters
  /** The plug-ins that the content names. */
  libraries: Library[]
  /** The number of nodes of each of them, by its id; without those of the clusters in it. */
  libraryUses: ReadonlyMap<string, number>
}

/** A content that is unknown: `unknown` is the reason as the end of a sentence. */
export interface UnknownCluster extends ClusterFacts {
  unknown: string
  reason: 'protected' | 'missing' | 'too_large' | 'unreadable'
}

/** The contents of clusters, by node id: `ClusterContents` with the facts of the file. */
export type ReadClusters = ReadonlyMap<string, KnownCluster | UnknownCluster>

/**
 * Reads the contents of all clusters of a definition, by node id, including nested clusters (rules GHD-49 to GHD-52 of
 * SPEC.md), from the bytes of a .gh or .ghx file or from its archive. The content of a cluster that cannot be read is
 * `unknown`, with the reason.
 * Fails: `GrasshopperError` as `readArchive`, and with `not_a_definition` and `malformed` as `readDefinition`.
 */
export function readClusters(file: Uint8Array | Archive, limits: Partial<ClusterLimits> = {}): ReadClusters {
  const archive = file instanceof Uint8Array ? readArchive(file) : file
  return readClusterContents(listObjects(getDefinition(archive)), createDefinitionContext([]), limits)
}

/** Reads the contents of the clusters among some objects; literal geometry in them counts towards `context`. */
export function readClusterContents(
  objects: readonly DefinitionObject[],
  context: DefinitionContext,
  limits: Partial<ClusterLimits>,
): ReadClusters {
  const { maxBytes, maxClusters, maxDepth } = { ...DEFAULT_LIMITS, ...limits }
  return readAll(objects, { context, maxDepth, bytesLeft: maxBytes, clustersLeft: maxClusters }, 1)
}

/** The remaining limits of a file. */
interface Allowance {
  readonly context: DefinitionContext
  readonly maxDepth: number
  bytesLeft: number
  clustersLeft: number
}

const CLUSTERS: readonly string[] = [CLASS.cluster, CLASS.oldCluster]

function readAll(objects: readonly DefinitionObject[], allowance: Allowance, depth: number): ReadClusters {
  const clusters = objects.filter(({ classId }) => CLUSTERS.includes(classId))
  return new Map(clusters.map((object) => [object.instanceId, readCluster(object, allowance, depth)]))
}

function readCluster(
  object: DefinitionObject,
  allowance: Allowance,
  depth: number,
): KnownCluster | UnknownCluster {
  const description = findText(object.container, 'Description') ?? ''
  const author = findAuthor(object.container)
  return { description, ...(author ? { author } : {}), ...readInside(object, allowance, depth) }
}

type Without<T> = Omit<T, keyof ClusterFacts>

function readInside(
  object: DefinitionObject,
  allowance: Allowance,
  depth: number,
): Without<KnownCluster> | Without<UnknownCluster> {
  const packed = findItem(object.container, 'ClusterDocument', 'bytearray')
  if (!packed) {
    return isEncrypted(object)
      ? { reason: 'protected', unknown: 'it is behind a password' }
      : { reason: 'missing', unknown: 'the file does not hold it' }
  }
  if (depth > allowance.maxDepth) return { reason: 'too_large', unknown: 'it is in too many other clusters' }
  if (--allowance.clustersLeft < 0) return { reason: 'too_large', unknown: 'the file has too many clusters' }
  try {
    return readContent(object, unpack(packed, allowance), allowance, depth)
  } catch (error) {
    if (!(error instanceof GrasshopperError)) throw error
    const reason = error.code === 'too_large' ? 'too_large' : 'unreadable'
    return { reason, unknown: `it cannot be read (${error.message})` }
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
): Without<KnownCluster> {
  const objects = listObjects(document)
  const content = readGraph(document, objects, allowance.context)
  return {
    content,
    hooks: readHooks(cluster, content),
    clusters: readAll(objects, allowance, depth + 1),
    libraries: listLibraries(document),
    libraryUses: countLibraryUses(objects),
  }
}

/** Reads which object in the cluster stands for each port, from the chunk ParamMap. */
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
