import type { ClusterContent, ClusterContents, GraphContent } from '@meadow/document'
import { inflateRaw } from '@meadow/inflate'
import type { Chunk } from '../archive/archive.ts'
import { findChunk, findItem } from '../archive/find.ts'
import { checkInflated } from '../archive/inflate.ts'
import { readArchive } from '../archive/read-archive.ts'
import { readInflatedArchive } from '../archive/read-binary.ts'
import { GrasshopperError } from '../grasshopper-error.ts'
import { CLASS } from './objects/class-ids.ts'
import type { DefinitionObject } from './objects/definition-object.ts'
import { listObjects } from './objects/list-objects.ts'
import { listGuids, listPorts } from './ports/list-ports.ts'
import { readContent } from './read-content.ts'
import { getDefinition } from './read-definition.ts'
import { listLibraries } from './read-header.ts'
import { createDefinitionContext, type DefinitionContext } from './values/value-context.ts'

/** What the insides of one file may come to, all together. What is beyond is `unknown`. */
export interface ClusterLimits {
  /** Bytes that they inflate to. Default 32 MiB; the most met in a real file is 2 MB. */
  readonly maxBytes: number
  /** How many there may be. Default 1,000; the most met is 83. */
  readonly maxClusters: number
  /** Clusters in clusters. Default 30; the most met is 2. */
  readonly maxDepth: number
}

const DEFAULT_LIMITS: ClusterLimits = { maxBytes: 32 * 1024 * 1024, maxClusters: 1000, maxDepth: 30 }

/**
 * Reads what is inside the clusters of the bytes of a .gh or .ghx file, and inside those within (rules GHD-49 to GHD-52
 * of SPEC.md), by node id. An inside that cannot be read is `unknown`, and why.
 * Fails: `GrasshopperError` as `readArchive`, and with `not_a_definition` and `malformed` as `readDefinition`.
 */
export function readClusters(bytes: Uint8Array, limits: Partial<ClusterLimits> = {}): ClusterContents {
  const { maxBytes, maxClusters, maxDepth } = { ...DEFAULT_LIMITS, ...limits }
  const objects = listObjects(getDefinition(readArchive(bytes)))
  const context = createDefinitionContext([])
  return readInsides(objects, { context, maxDepth, bytesLeft: maxBytes, clustersLeft: maxClusters }, 1)
}

/** What is left of the limits of a file. */
interface Allowance {
  readonly context: DefinitionContext
  readonly maxDepth: number
  bytesLeft: number
  clustersLeft: number
}

function readInsides(
  objects: readonly DefinitionObject[],
  allowance: Allowance,
  depth: number,
): ClusterContents {
  const clusters = objects.filter(({ classId }) => classId === CLASS.cluster)
  return new Map(clusters.map((object) => [object.instanceId, readInside(object, allowance, depth)]))
}

function readInside(object: DefinitionObject, allowance: Allowance, depth: number) {
  const packed = findItem(object.container, 'ClusterDocument', 'bytearray')
  if (!packed) return { unknown: findSecret(object) ?? 'the file does not hold it' }
  if (depth > allowance.maxDepth) return { unknown: 'it is in too many other clusters' }
  if (--allowance.clustersLeft < 0) return { unknown: 'the file has too many clusters' }
  try {
    return readDocument(object, unpack(packed, allowance), allowance, depth)
  } catch (error) {
    if (error instanceof GrasshopperError) return { unknown: `it cannot be read (${error.message})` }
    throw error
  }
}

const findSecret = ({ container }: DefinitionObject): string | undefined =>
  container.items.some(({ name }) => name === 'EncryptedDocument') ? 'it is behind a password' : undefined

/** The root of a cluster's archive. One that is too large takes all that is left: there is no second bomb. */
function unpack(packed: Uint8Array, allowance: Allowance): Chunk {
  const { bytesLeft } = allowance
  const inflated = inflateRaw(packed, bytesLeft)
  allowance.bytesLeft = inflated.end === 'too_large' ? 0 : bytesLeft - inflated.bytes.length
  const { root } = readInflatedArchive(checkInflated(inflated, packed, bytesLeft))
  if (root.name === 'Document') return root
  throw new GrasshopperError('malformed', `The archive of a cluster is a ${root.name}`, '')
}

function readDocument(
  object: DefinitionObject,
  document: Chunk,
  allowance: Allowance,
  depth: number,
): ClusterContent {
  const objects = listObjects(document)
  const content = readContent(document, objects, listLibraries(document), allowance.context)
  return {
    content,
    hooks: readHooks(object, content),
    clusters: readInsides(objects, allowance, depth + 1),
  }
}

/** ParamMap tells which object inside stands for a port. */
function readHooks(object: DefinitionObject, { nodes }: GraphContent): Map<string, string> {
  const map = findChunk(object.container, 'ParamMap')
  const [keys, values] = map ? [listGuids(map, 'Key'), listGuids(map, 'Value')] : []
  const hookOf = new Map([...(keys ?? [])].map(([index, portId]) => [portId, values?.get(index) ?? '']))
  const { inputs, outputs } = listPorts(object)
  const listHooks = (ports: readonly { id: string }[], classId: string) =>
    ports.flatMap(({ id }): [string, string][] => {
      const hook = hookOf.get(id)
      return hook !== undefined && nodes[hook]?.templateId === classId ? [[id, hook]] : []
    })
  return new Map([...listHooks(inputs, CLASS.clusterInput), ...listHooks(outputs, CLASS.clusterOutput)])
}
