import { createHash } from 'node:crypto'
import type { ArchiveVersion, GraphContent, Unit } from '@meadow/contract'
import { type Reading, writeDefinition } from '@meadow/grasshopper'
import { type ModelLibrary, openModelLibrary } from '@meadow/model'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Job, JobParts } from '../../platform/processes/job-child.ts'

/** A file to make. */
export type ExportRequest = DefinitionRequest | ModelRequest

export interface DefinitionRequest {
  format: '.gh'
  id: string
  name: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** The UTF-8 bytes of a `GraphContent` as JSON. */
  content: Uint8Array
  /** The digest of the file that the document was imported from. */
  original: string | null
  /** How the content was read from that file; null for the first reading. */
  reading: number | null
}

interface ModelRequest {
  format: '.3dm'
  documentId: string
  archiveVersion: ArchiveVersion
  /** Undefined for a solution without geometry. */
  model: StoredModel | undefined
  units: Unit
  /** Milliseconds since 1970. */
  solvedAt: number
}

/** A model file in the blob store. */
export interface StoredModel {
  digest: string
  bytes: number
  objects: number
}

/** A file in the blob store. */
export interface MadeFile {
  digest: string
  bytes: number
  /** Sentences about what of the document the file does not hold, or holds in another form. */
  warnings: string[]
}

interface MakeParts {
  blobs: BlobStore
  library: ModelLibrary
}

const MAX_WARNINGS = 100

/** Creates the job of an `ExportMaker`. */
export function createJob({ blobs }: JobParts): Job<ExportRequest, MadeFile> {
  const parts = { blobs: blobs!, library: openModelLibrary() }
  return (request) => makeFile(request, parts)
}

/** Makes a file and stores it in the blob store. */
export async function makeFile(request: ExportRequest, parts: MakeParts): Promise<MadeFile> {
  const { bytes, warnings } = await (request.format === '.gh'
    ? makeDefinition(request, parts)
    : makeModel(request, parts))
  const { digest, size } = await parts.blobs.put(bytes)
  return { digest, bytes: size, warnings }
}

interface FileContent {
  bytes: Uint8Array
  warnings: string[]
}

async function makeDefinition(request: DefinitionRequest, { blobs }: MakeParts): Promise<FileContent> {
  const { id, name, updatedAt, content, original, reading } = request
  const graph: GraphContent = JSON.parse(new TextDecoder().decode(content))
  const { bytes, warnings } = writeDefinition(
    { ...graph, id, name, updatedAt },
    {
      form: 'gh',
      ...(original !== null && { reading: (reading ?? 1) as Reading }),
      ...(original !== null && { original: await readBlob(blobs, original) }),
    },
  )
  return { bytes, warnings: warnings.slice(0, MAX_WARNINGS).map(({ message }) => message) }
}

async function makeModel(request: ModelRequest, { blobs, library }: MakeParts): Promise<FileContent> {
  const { documentId, archiveVersion, model, units, solvedAt } = request
  if (model) {
    const bytes = await readBlob(blobs, model.digest)
    const converted = await library.convert(bytes, { archiveVersion, objectCount: model.objects })
    return { bytes: converted, warnings: [] }
  }
  const options = { documentId, archiveVersion, units, savedAt: new Date(solvedAt) } as const
  return { bytes: (await library.write([], options)).bytes, warnings: [] }
}

/** The bytes in a buffer of their own, checked against the digest. */
async function readBlob(blobs: BlobStore, digest: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of an export is missing.`)
  if (createHash('sha256').update(bytes).digest('hex') !== digest) {
    throw new Error(`The blob ${digest} of an export is damaged.`)
  }
  const isWholeBuffer = bytes.byteLength === bytes.buffer.byteLength
  return isWholeBuffer ? new Uint8Array(bytes.buffer as ArrayBuffer) : Uint8Array.from(bytes)
}
