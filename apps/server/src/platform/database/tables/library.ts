import type {
  BinItemId,
  DocumentId,
  FolderId,
  HAPPENINGS,
  MirrorId,
  TeamFileId,
  UserId,
  Visibility,
} from '@meadow/contract'
import type { FileKind, MirrorRunState, ThumbnailKind } from '@meadow/contract/web'
import type { Generated } from 'kysely'
import type {
  BinKey,
  DocumentKey,
  FolderKey,
  Key,
  Leased,
  Milliseconds,
  MirrorKey,
  MirrorRunKey,
  SolveKey,
  TeamFileKey,
  TeamKey,
} from './column-types.ts'

/** The tables of `schema/library.sql` and `schema/changes.sql`. */
export interface LibraryTables {
  bin_item: BinItemTable
  folder: FolderTable
  document: DocumentTable
  document_facts: DocumentFactsTable
  document_thumbnail: DocumentThumbnailTable
  team_file: TeamFileTable
  model_object: ModelObjectTable
  document_reference: DocumentReferenceTable
  mirror: MirrorTable
  mirror_run: MirrorRunTable
  recent_document: RecentDocumentTable
  favourite: FavouriteTable
  happening: HappeningTable
  change_epoch: ChangeEpochTable
}

/**
 * Something that happened to a folder or document, which triggers note: each word for the last time, and what has a
 * `place` for the last time from each.
 */
export interface HappeningTable {
  team_id: TeamKey
  /** The version of the team that the transaction has made. */
  version: number
  item: FolderId | DocumentId
  kind: 'folder' | 'document'
  /** `carried`: a folder above was moved. */
  what: (typeof HAPPENINGS)[number] | 'carried'
  /** Of a departure: the path of the folder, for a document of the folder that it was in. Otherwise empty. */
  place: string
}

/**
 * One row with a random text, which signs the cursors of the change feed and is told to nobody. It is another one in a
 * database that a backup was restored into.
 */
export interface ChangeEpochTable {
  epoch: string
}

/**
 * An item of the bin: a document, another file, or a folder with everything inside that was not deleted before. The
 * rows of all of it have the item's key in `bin_id`, and are unchanged otherwise.
 */
export interface BinItemTable {
  id: Key<BinKey>
  public_id: BinItemId
  team_id: TeamKey
  /** The deleted folder, document or file: one of the three columns is set. */
  folder_id: FolderKey | null
  document_id: DocumentKey | null
  file_id: Generated<TeamFileKey | null>
  /** 1 when an import put the item here because its file was gone. The item is restored when the file is back. */
  file_is_gone: Generated<0 | 1>
  /** 1 after the folder that the item was in was deleted permanently. The item has been below the root since then. */
  home_is_gone: Generated<0 | 1>
  deleted_at: Milliseconds
  deleted_by: UserId | null
}

export interface FolderTable {
  id: Key<FolderKey>
  public_id: FolderId
  team_id: TeamKey
  /** The folder that this one is in; null for the root, of which a team has at most one. */
  parent_id: FolderKey | null
  name: string
  /** The keys from the root to this folder, itself included, each followed by a slash: `1/5/9/`. */
  path: string
  created_at: Milliseconds
  /** The item of the bin that contains this row; null when it is not in the bin. */
  bin_id: BinKey | null
  /** `nameOrder(name)`; empty for a name without one, null while it is not computed. */
  name_order: string
}

/**
 * The state of an imported file that is no longer in its folder. `told`: an import has reported it. `kept`: an import
 * has also put what belongs to the file into the bin, and somebody restored that. The column is null when the file was
 * there at the last import.
 */
export type GoneFile = 'told' | 'kept'

export interface DocumentTable {
  id: Key<DocumentKey>
  public_id: DocumentId
  team_id: TeamKey
  folder_id: FolderKey
  name: string
  /** `foldName(name)`, by which documents are searched. */
  name_folded: string
  /** `nameOrder(name)`; empty for a name without one, null while it is not computed. */
  name_order: string
  visibility: Visibility
  /** Whether anyone with the link reads what the player shows; only of documents whose visibility is `private`. */
  shares_player: Generated<0 | 1>
  /** When a document that others can open becomes private; null for no end. */
  public_until: Generated<Milliseconds | null>
  /** When the document was created here or, if it is older and was imported, when its file was created. */
  created_at: Milliseconds
  /**
   * Changes after `shown_seq` up to `shown_until` do not change a picture of the geometry; null when that is unknown.
   */
  shown_seq: Generated<number | null>
  shown_until: Generated<number | null>
  /** The account that made the document, or uploaded its file; null for the operator, or when it was not recorded. */
  created_by: UserId | null
  /** When the service took in the last change of its content or name. */
  updated_at: Milliseconds
  /** The head of the document's log of changes; a snapshot with this number is up to date. */
  seq: number
  /**
   * Where an imported document comes from: the folder that was imported into, the folder on the operator's disk,
   * and the file's path below it. With `source_root_id`, all columns of the source are set, except perhaps its time.
   */
  source_root_id: FolderKey | null
  source_from: string | null
  source_path: string | null
  source_sha256: string | null
  source_size: number | null
  /** The file's time when it was read; null when that was too recent to show that a file is unchanged. */
  source_mtime: Milliseconds | null
  /** The file's own times (decision 43). */
  source_created: Milliseconds | null
  source_modified: Milliseconds | null
  source_gone: Generated<GoneFile | null>
  /** The blob that holds the imported file, byte for byte. */
  source_blob: string | null
  /**
   * The view that the file was saved at, as JSON of a `SavedView`; null when it has none, or was not read at the
   * import.
   */
  source_view: string | null
  /** The digest of the document's row in `document_facts`; null when it has none. */
  source_facts: string | null
  /** How much of the file the content was read from (`Reading` of @meadow/grasshopper); null for the first reading. */
  source_reading: number | null
  /** The size of the last stored content as JSON with its large values; null for a blob that is not measured yet. */
  content_bytes: number
  /** `seq` after the last import; when `seq` is greater now, people have edited the document since. */
  source_seq: number | null
  /** The item of the bin that contains this row; null when it is not in the bin. */
  bin_id: BinKey | null
  /** The `seq` and the `source_blob` that `document_use` is made of; null for a document that was never read for it. */
  uses_seq: Generated<number | null>
  uses_source: Generated<string | null>
}

/** What an imported file holds in addition to its graph. */
export interface DocumentFactsTable {
  document_id: DocumentKey
  /** The SHA-256 of `file` and the clusters, in hexadecimal. */
  digest: string
  /** JSON of a `DefinitionFacts`. */
  file: string
  /** The contents of the file's clusters, as the UTF-8 bytes of JSON; null when they are in the blob store. */
  clusters: Uint8Array | null
  clusters_blob: string | null
}

/** The newest picture of a document. */
export interface DocumentThumbnailTable {
  document_id: DocumentKey
  /** The digest of the blob that holds the picture, a PNG. */
  digest: string
  kind: ThumbnailKind
  /** 1 when geometry was left out, because drawing it would have taken too long. */
  is_partial: 0 | 1
  /** The position in the document's log of the content that the picture shows. */
  seq: number
  /**
   * The solve whose solution the picture shows, or would show if it had geometry; null when there was none. It may be
   * deleted.
   */
  solve_id: SolveKey | null
}

/** A Rhino model, and the files of Grasshopper that define a component. */
export type TeamFileKind = FileKind

/** A file of the tree that is not a document (decision 42). */
export interface TeamFileTable {
  id: Key<TeamFileKey>
  public_id: TeamFileId
  team_id: TeamKey
  folder_id: FolderKey
  /** The name of the file, with its extension. */
  name: string
  /** The name, folded by `foldName`. */
  name_folded: string
  kind: TeamFileKind
  created_at: Milliseconds
  updated_at: Milliseconds
  /** The columns of the source are those of a document. */
  source_root_id: FolderKey | null
  source_from: string | null
  source_path: string | null
  source_sha256: string
  source_size: number
  source_mtime: Milliseconds | null
  source_created: Milliseconds | null
  source_modified: Milliseconds | null
  source_gone: Generated<GoneFile | null>
  /** The digest of the blob that holds the file, byte for byte. */
  blob: string
  /** What the file says about itself, as JSON of a `FileFacts` of at most 100 kB. */
  facts: string
  /** The digest of the blob of the file's picture, a PNG or JPEG. */
  thumbnail: string | null
  /** The item of the bin that contains this row; null when it is not in the bin. */
  bin_id: BinKey | null
}

/** The objects of a model, by their ids in Rhino: UUIDs in lower case. */
export interface ModelObjectTable {
  object_id: string
  file_id: TeamFileKey
}

/** The Rhino objects that the values of a document refer to: UUIDs in lower case. */
export interface DocumentReferenceTable {
  document_id: DocumentKey
  object_id: string
}

/** A folder on the operator's disk that is imported again and again, registered once. */
export interface MirrorTable extends Leased {
  id: Key<MirrorKey>
  public_id: MirrorId
  team_id: TeamKey
  /** The folder that receives the contents, of one mirror at most; null after it was deleted permanently. */
  folder_id: FolderKey | null
  name: string
  /** The absolute path on the machine that runs the mirror. */
  path: string
  /** The options of the mirror's imports. */
  gone: string
  on_conflict: string
  created_at: Milliseconds
  /** Until when a process has promised to follow the changes of the folder; null when none has. */
  watched_until: Milliseconds | null
  /** When the last run that looked at the whole folder ended. */
  completed_at: Milliseconds | null
}

/** A run of a mirror. The last ones are retained. */
export interface MirrorRunTable {
  id: Key<MirrorRunKey>
  mirror_id: MirrorKey
  state: MirrorRunState
  started_at: Milliseconds
  /** When the run ended; null while it runs. */
  ended_at: Milliseconds | null
  /** A sentence about why the run failed as a whole, or was stopped. */
  reason: string | null
  /** The JSON of the numbers of files by outcome; null until the run has ended. */
  counts: string | null
  /** The JSON of a list of `RecordedChange`, which is bounded. */
  changes: string | null
}

/** A document that a person opened. There is a bounded number for each person. */
export interface RecentDocumentTable {
  user_id: UserId
  document_id: DocumentKey
  opened_at: Milliseconds
}

/** Something that a person marked: one of the three keys is set. */
export interface FavouriteTable {
  id: Key<number>
  user_id: UserId
  folder_id: FolderKey | null
  document_id: DocumentKey | null
  file_id: TeamFileKey | null
}
