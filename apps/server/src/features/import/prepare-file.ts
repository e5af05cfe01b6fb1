import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Note } from '@meadow/grasshopper'
import type { DocumentSource, ImportedDocument } from '../../catalogue/catalogue.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { withoutExtension } from './definition-name.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { type FileFacts, readStableFile } from './read-stable-file.ts'
import type { Definition, WalkedFolder } from './walk-definitions.ts'

/** A file that was read, and what is to be written of it. */
export interface PreparedFile {
  folder: WalkedFolder
  name: string
  facts: FileFacts
  source: DocumentSource
  /** Undefined when the bytes are those of the last import, and need not be read again. */
  document: ReadDocument | undefined
}

export interface ReadDocument {
  /** The bytes of the file. */
  original: Uint8Array
  /** The UTF-8 bytes of a `GraphContent` as JSON. */
  content: Uint8Array
  notes: readonly Note[]
}

/** Where files come from, and where they go. */
export interface ImportPlace {
  /** The folder on the disk that paths are relative to. */
  from: string
  /** The folder of the team that stands for it. */
  target: FolderKey
  /** Files are read again whether they changed or not: another Meadow may read more of them. */
  force: boolean
}

/**
 * A file may change again, to the same size, within the grain of its time stamp (2 s on FAT) after it was read: a
 * time so young is not taken for a proof.
 */
const YOUNG_MS = 2000

/** Whether the file is what the last import saw, as far as its size and time tell. */
export const isUntouched = (
  facts: FileFacts,
  { from, force }: ImportPlace,
  before: ImportedDocument,
): boolean =>
  !force && before.from === from && before.sizeBytes === facts.sizeBytes && before.mtimeMs === facts.mtimeMs

/** Reads a file, and, if it is not what the last import read, makes a document of it. What it throws is about the file. */
export async function prepareFile(
  reader: DefinitionReader,
  place: ImportPlace,
  definition: Definition,
  before: ImportedDocument | undefined,
): Promise<PreparedFile> {
  const path = join(place.from, definition.path)
  const file = await readStableFile(path)
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  const prepared = {
    folder: definition.folder,
    name: await nameOf(path, definition.name),
    facts: file.facts,
    source: createSource(place, definition.path, file.facts, sha256),
  }
  if (before?.sha256 === sha256 && !place.force) return { ...prepared, document: undefined }
  const document = await reader.read(file.bytes)
  return { ...prepared, document: { original: file.bytes, ...document } }
}

function createSource(place: ImportPlace, path: string, facts: FileFacts, sha256: string): DocumentSource {
  const isYoung = Math.abs(Date.now() - facts.mtimeMs) < YOUNG_MS
  return {
    root: place.target,
    from: place.from,
    path,
    sha256,
    blob: sha256,
    sizeBytes: facts.sizeBytes,
    mtimeMs: isYoung ? null : facts.mtimeMs,
  }
}

/** `Tower.gh` makes "Tower", and so does `Tower.ghx`, but beside a `Tower.gh` it keeps its whole name. */
async function nameOf(path: string, fileName: string): Promise<string> {
  const isBesideOther = /x$/i.test(fileName) && (await exists(path.slice(0, -1)))
  return isBesideOther ? fileName : withoutExtension(fileName)
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
