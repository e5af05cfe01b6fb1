import type { DocumentId, TeamFileId } from '@meadow/contract'
import type { Select } from '../platform/database/database.ts'
import type {
  BinKey,
  DocumentKey,
  FolderKey,
  GoneFile,
  TeamFileKey,
  TeamFileKind,
} from '../platform/database/tables.ts'

/** What an earlier import made of a file: a document, or another file of the tree. */
export type ImportedItem = ImportedDocument | ImportedFile

interface Imported {
  /** The folder that it is in. */
  folder: FolderKey
  name: string
  /** The folder on the disk that it was last imported from. */
  from: string
  /** The path of the file below that folder. */
  path: string
  sha256: string
  sizeBytes: number
  mtimeMs: number | null
  gone: GoneFile | null
  /** The item of the bin that it is in; null when it is not in the bin. */
  bin: BinKey | null
  /** 1 when an import put it into the bin because its file was gone. */
  isBinnedAsGone: 0 | 1 | null
}

export interface ImportedDocument extends Imported {
  kind: 'document'
  key: DocumentKey
  id: DocumentId
  /** The head of the log of edits. */
  seq: number
  /** The head after the last import: when `seq` is greater, people have edited the document since. */
  sourceSeq: number
}

export interface ImportedFile extends Imported {
  kind: TeamFileKind
  key: TeamFileKey
  id: TeamFileId
}

/** A page of what was imported into a folder, in the order of keys. */
export interface ImportedPage {
  /** The last key of the page before. */
  after?: number | undefined
  limit: number
}

/**
 * What earlier imports into the folder `root` made of the files at `paths` (a few dozen at most), in the bin or not. Of
 * several with one path, the last one is that of the file.
 */
export async function findImported(
  read: Select,
  root: FolderKey,
  paths: readonly string[],
): Promise<ImportedItem[]> {
  if (paths.length === 0) return []
  const documents = await selectDocuments(read, root).where('source_path', 'in', paths).execute()
  const files = await selectFiles(read, root).where('source_path', 'in', paths).execute()
  return [...documents.map(toDocument), ...files].sort(byBin)
}

/** The documents that were imported into `root`, those in the bin included, in the order of keys. */
export async function listImportedDocuments(
  read: Select,
  root: FolderKey,
  { after = 0, limit }: ImportedPage,
): Promise<ImportedDocument[]> {
  const rows = await selectDocuments(read, root)
    .where('document.id', '>', after as DocumentKey)
    .orderBy('document.id')
    .limit(limit)
    .execute()
  return rows.map(toDocument)
}

/** The other files that were imported into `root`, those in the bin included, in the order of keys. */
export const listImportedFiles = (
  read: Select,
  root: FolderKey,
  { after = 0, limit }: ImportedPage,
): Promise<ImportedFile[]> =>
  selectFiles(read, root)
    .where('team_file.id', '>', after as TeamFileKey)
    .orderBy('team_file.id')
    .limit(limit)
    .execute()

/** Sorts items so that, of several with one path, the last one is that of the file. */
export const byBin = (a: Imported, b: Imported): number =>
  (a.bin ?? Number.MAX_SAFE_INTEGER) - (b.bin ?? Number.MAX_SAFE_INTEGER)

const toDocument = (row: Omit<ImportedDocument, 'kind'>): ImportedDocument => ({ kind: 'document', ...row })

/** Columns that both tables have, and one of the bin. */
const IMPORTED_COLUMNS = [
  'name',
  'source_from as from',
  'source_path as path',
  'source_sha256 as sha256',
  'source_size as sizeBytes',
  'source_mtime as mtimeMs',
  'source_gone as gone',
  'bin_id as bin',
  'bin_item.file_is_gone as isBinnedAsGone',
] as const

const selectImported = (read: Select, table: 'document' | 'team_file', root: FolderKey) =>
  read
    .selectFrom<'document' | 'team_file'>(table)
    .leftJoin('bin_item', 'bin_item.id', 'bin_id')
    .where('source_root_id', '=', root)
    .select([
      `${table}.id as key`,
      `${table}.public_id as id`,
      `${table}.folder_id as folder`,
      ...IMPORTED_COLUMNS,
    ])

// A check of the tables guarantees that all columns of a source are set if the root is.
const selectDocuments = (read: Select, root: FolderKey) =>
  selectImported(read, 'document', root)
    .select(['seq', 'source_seq as sourceSeq'])
    .$castTo<Omit<ImportedDocument, 'kind'>>()

const selectFiles = (read: Select, root: FolderKey) =>
  selectImported(read, 'team_file', root).select('kind').$castTo<ImportedFile>()
