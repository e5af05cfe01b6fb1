import type { DataValue, GraphContent } from '@meadow/contract'
import type { LibraryKind } from '@meadow/contract/web'
import { type ClusterContents, type StoredFacts, sameJson } from '@meadow/document'
import {
  type Definition,
  describeClusters,
  describeDefinition,
  describeStored,
  listKnown,
  placeLibraryItem,
  type ReadClusters,
  readClusterFile,
  readClusters,
  readDefinition,
  readPlacedClusters,
  readUserObject,
} from '@meadow/grasshopper'
import { type GeometryMeasurer, openGeometryMeasurer } from '@meadow/model'
import { isOutOfMemory } from '@meadow/processes/child'
import { listUnsolvable, type Unsolvable } from '@meadow/solver'
import { readClusterContents } from '../../content/cluster-contents.ts'
import type { StoredJson } from '../../content/content.store.ts'
import { readGraph } from '../../content/read-graph.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Job, JobParts } from '../../platform/processes/job-child.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { storeContentBytes } from '../../team/content-blobs.ts'
import type { ParsedDocument, ParsedFacts, ParseRequest, ParseResult } from './definition-parser.ts'
import { ImportError, MAX_UNSOLVABLE } from './import-result.ts'
import { readLibraryFile } from './read-library-file.ts'

/** The largest document of a file of the largest size that is read. */
const MAX_CONTENT_BYTES = 256 * 2 ** 20
/** The largest contents of a library item that are shown. */
const MAX_ITEM_BYTES = 32 * 2 ** 20
/** How many objects go to the library at a time, because their bytes are copied. */
const GEOMETRY_BATCH = 100

const measurer = openGeometryMeasurer()

/** Creates the job of a `DefinitionParser`, which returns the document of a file, or the reason why there is none. */
export const createJob =
  ({ blobs }: JobParts): Job<ParseRequest, ParseResult> =>
  async (request) => {
    if ('storedIn' in request) return attempt(() => openStored(request, blobs!))
    if ('content' in request) return inspect(request, blobs!)
    if ('placedIn' in request) return attempt(() => openPlacedClusters(request.placedIn, blobs!))
    const bytes = 'bytes' in request ? request.bytes : await readBlob(request.digest, blobs!)
    if ('contentsOf' in request) return attempt(async () => openContents(bytes, request.contentsOf))
    if ('place' in request) return attempt(() => readPlacedNode(bytes, request.place))
    const { kind } = request
    if (kind) return attempt(async () => readLibraryFile(bytes, kind))
    return 'bytes' in request ? parse(bytes) : parseUpload(bytes, blobs!)
  }

async function readBlob(digest: string, blobs: BlobStore): Promise<Uint8Array> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of an uploaded file is missing.`)
  return bytes
}

/** The object that a library item places, and what is inside of its clusters. */
async function openContents(bytes: Uint8Array, kind: LibraryKind): Promise<ParseResult> {
  const { content, clusters } = kind === 'cluster' ? readClusterFile(bytes) : readUserObject(bytes)
  await fillBoundingBoxes(content, measurer)
  for (const cluster of listKnown(clusters)) await fillBoundingBoxes(cluster.content, measurer)
  const contents = encode({ graph: content, clusters: describeClusters(clusters) })
  if (contents.length > MAX_ITEM_BYTES) throw new ImportError('its contents are larger than 32 MB')
  return { contents }
}

/** The node that a library item places. */
async function readPlacedNode(bytes: Uint8Array, kind: LibraryKind): Promise<ParseResult> {
  const node = placeLibraryItem(bytes, kind)
  await fillBoundingBoxes({ nodes: { [node.instanceId]: node } }, measurer)
  return { node }
}

/** Describes what is inside the placed clusters of a document. */
async function openPlacedClusters(content: StoredJson, blobs: BlobStore): Promise<ParseResult> {
  const clusters = readPlacedClusters(await readGraph(blobs, content))
  for (const cluster of listKnown(clusters)) await fillBoundingBoxes(cluster.content, measurer)
  const contents = encode({ clusters: describeClusters(clusters) })
  if (contents.length > MAX_ITEM_BYTES) throw new ImportError('its contents are larger than 32 MB')
  return { contents }
}

/** Stores a large content from here, so that the parent process does not have to hold it in memory. */
async function parseUpload(bytes: Uint8Array, blobs: BlobStore): Promise<ParseResult> {
  const parsed = await parse(bytes)
  if ('reason' in parsed) return parsed
  const { content, facts, ...report } = parsed
  return {
    ...report,
    content: await storeContentBytes(blobs, content),
    facts: { file: facts.file, clusters: await storeContentBytes(blobs, facts.clusters) },
  }
}

/** Digests of what a file stores, and of that what still goes for a document that was made of it. */
async function openStored(
  { storedIn, content }: Extract<ParseRequest, { storedIn: string }>,
  blobs: BlobStore,
): Promise<ParseResult> {
  const definition = readDefinition(await readBlob(storedIn, blobs))
  const stored = describeStored(definition.original)
  if (content) leaveOutEdited(stored, definition.content, await readGraph(blobs, content))
  return { stored }
}

/** Nodes that were edited say so themselves, and the file no longer has what they show. */
function leaveOutEdited(stored: StoredFacts, file: GraphContent, now: GraphContent): void {
  const listOwners = ({ nodes, groups }: GraphContent) =>
    new Map<string, unknown>([...Object.entries(nodes), ...groups.map((group) => [group.id, group] as const)])
  const [before, after] = [listOwners(file), listOwners(now)]
  let isEdited = before.size !== after.size
  for (const [id, owner] of before) {
    const other = after.get(id)
    if (other !== undefined && sameJson(withoutBoxes(owner), withoutBoxes(other))) continue
    isEdited = true
    if (other === undefined) delete stored[id]
    else leaveOutShown(stored, id)
  }
  if (isEdited) leaveOutShown(stored, '')
}

function leaveOutShown(stored: StoredFacts, key: string): void {
  const entries = Object.entries(stored[key] ?? {}).filter(([name]) => !name.startsWith('~'))
  stored[key] = Object.fromEntries(entries)
}

/** Removes the bounding boxes of literal geometry, which are not in files. */
const withoutBoxes = (owner: unknown): unknown =>
  JSON.parse(JSON.stringify(owner, (name, value) => (name === 'boundingBox' ? null : value)))

/** Lists what of a stored document cannot be solved. */
async function inspect(
  { content, original }: Extract<ParseRequest, { original: unknown }>,
  blobs: BlobStore,
): Promise<ParseResult> {
  const graph = await readGraph(blobs, content)
  return {
    unsolvable: findUnsolvable(
      graph,
      await readClusterContents(graph, async () =>
        original === undefined ? undefined : blobs.read(original),
      ),
    ),
  }
}

const findUnsolvable = (content: GraphContent, clusters: ClusterContents): Unsolvable[] =>
  listUnsolvable(content, clusters).take(MAX_UNSOLVABLE).toArray()

async function parse(bytes: Uint8Array): Promise<ParsedDocument | { reason: string }> {
  return attempt(async () => {
    const definition = readDefinition(bytes)
    const { content, notes, header } = definition
    const clusters = readClusters(definition.original)
    await fillBoundingBoxes(content, measurer)
    for (const cluster of listKnown(clusters)) await fillBoundingBoxes(cluster.content, measurer)
    const unsolvable = findUnsolvable(content, clusters)
    return {
      content: toJson(content),
      facts: describeFacts(definition, clusters),
      references: listReferences(content),
      notes,
      unsolvable,
      view: header.view,
    }
  })
}

async function attempt<T>(read: () => Promise<T>): Promise<T | { reason: string }> {
  try {
    return await read()
  } catch (error) {
    // Ends the process: the parent reports that the file takes too much memory.
    if (isOutOfMemory(error)) throw error
    return { reason: reasonOf(error) }
  }
}

function describeFacts(definition: Definition, clusters: ReadClusters): ParsedFacts {
  return {
    file: JSON.stringify(describeDefinition(definition, clusters)),
    clusters: toJson(describeClusters(clusters)),
  }
}

type GeometricValue = Extract<DataValue, { value: { boundingBox: unknown } }>

/** Computes the bounding boxes of literal geometry, which are not in the file (decision 22). */
async function fillBoundingBoxes(
  content: Pick<GraphContent, 'nodes'>,
  measurer: GeometryMeasurer,
): Promise<void> {
  const values = listGeometry(content)
  for (let start = 0; start < values.length; start += GEOMETRY_BATCH) {
    const batch = values.slice(start, start + GEOMETRY_BATCH)
    const boxes = await measurer.measure(batch.map(({ geometry }) => geometry!))
    for (const [i, { value }] of batch.entries()) value.boundingBox = boxes[i] ?? null
  }
}

const listGeometry = (content: Pick<GraphContent, 'nodes'>): GeometricValue[] =>
  listValues(content).filter(
    (value): value is GeometricValue => isGeometric(value) && value.geometry !== undefined,
  )

const listValues = (content: Pick<GraphContent, 'nodes'>): (DataValue | null)[] =>
  Object.values(content.nodes)
    .flatMap(({ values }) => Object.values(values))
    .flatMap(({ branches }) => branches)
    .flatMap(({ values }) => values)

/** The objects of Rhino models that values refer to. */
const listReferences = (content: GraphContent): string[] => [
  ...new Set(listValues(content).flatMap((value) => value?.referenceId?.toLowerCase() ?? [])),
]

function isGeometric(value: DataValue | null): value is GeometricValue {
  return typeof value?.value === 'object' && 'boundingBox' in value.value
}

function toJson(content: object): Uint8Array<ArrayBuffer> {
  const json = encode(content)
  if (json.length > MAX_CONTENT_BYTES) throw new ImportError('its document would be larger than 256 MB')
  return json
}

function encode(content: object): Uint8Array<ArrayBuffer> {
  try {
    return new TextEncoder().encode(JSON.stringify(content))
  } catch (error) {
    // JavaScript strings are limited to 512 MB.
    if (error instanceof RangeError && /string length/.test(error.message))
      throw new ImportError('its document would be larger than 256 MB')
    throw error
  }
}
