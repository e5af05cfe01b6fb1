import { createHash } from 'node:crypto'
import type { GraphContent } from '@meadow/contract'
import { writeDefinition } from '@meadow/grasshopper'
import type { ModelLibrary } from '@meadow/model'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DefinitionRequest, ExportRequest, MadeFile, ModelRequest } from './export-request.ts'

/** Beyond these nobody reads on. */
const MAX_WARNINGS = 100

interface MakeParts {
  blobs: BlobStore
  library: ModelLibrary
}

/** Makes a file and puts it into the blob store, where it gets its name only once it is whole. */
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
  const { id, name, updatedAt, content, original } = request
  const graph: GraphContent = JSON.parse(new TextDecoder().decode(content))
  const { bytes, warnings } = writeDefinition(
    { ...graph, id, name, updatedAt },
    { form: 'gh', ...(original !== null && { original: await readBlob(blobs, original) }) },
  )
  return { bytes, warnings: warnings.slice(0, MAX_WARNINGS).map(({ message }) => message) }
}

/** Definitions do not say in which unit they are drawn, and neither do their model files. */
const UNITS = 'none'

async function makeModel(request: ModelRequest, { blobs, library }: MakeParts): Promise<FileContent> {
  const { documentId, archiveVersion, model, solvedAt } = request
  if (model) {
    const bytes = await readBlob(blobs, model.digest)
    const converted = await library.convert(bytes, { archiveVersion, objectCount: model.objects })
    return { bytes: converted, warnings: [] }
  }
  const options = { documentId, archiveVersion, units: UNITS, savedAt: new Date(solvedAt) } as const
  return { bytes: (await library.write([], options)).bytes, warnings: [] }
}

/** The bytes, which nobody else has, and which are those that were stored. */
async function readBlob(blobs: BlobStore, digest: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of an export is missing.`)
  if (createHash('sha256').update(bytes).digest('hex') !== digest) {
    throw new Error(`The blob ${digest} of an export is damaged.`)
  }
  const isWhole = bytes.byteLength === bytes.buffer.byteLength
  return isWhole ? new Uint8Array(bytes.buffer as ArrayBuffer) : Uint8Array.from(bytes)
}
