import type { TeamFileId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import { foldName, readName } from '../platform/database/names.ts'
import type { FolderKey, TeamFileKey, TeamFileKind } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { discardBlobs } from '../team/content-blobs.ts'
import { type DocumentSource, sourceColumns } from '../team/document-writes.ts'
import { FilingError, getFolderPath } from '../team/folders.ts'
import { checkFileQuota } from '../team/quotas.ts'
import { takeTime } from '../team/raise-version.ts'
import type { TeamWrite } from '../team/team-transaction.ts'

/** What a file holds, beside its bytes. */
export interface TeamFileContent {
  /** The JSON of a `FileFacts`, of at most 100 kB. */
  facts: string
  /** The digest of the blob of its picture. */
  thumbnail?: string | undefined
  /** The ids of a model's objects, in lower case. */
  objectIds: readonly string[]
}

export interface NewTeamFile extends TeamFileContent {
  folder: FolderKey
  /** The name with its extension. */
  name: string
  kind: TeamFileKind
  /** The file's bytes, and where they come from. */
  source: DocumentSource
  /** A time from `takeTimes`; by default a new one. */
  at?: number | undefined
}

export interface ChangedTeamFile extends TeamFileContent {
  source: DocumentSource
  at?: number | undefined
}

// A file that is in the bin cannot be changed: all of these throw a `FilingError`.

/** Throws a `QuotaError` when the team may not store that much, and a {@link FilingError}. */
export async function createFile(
  change: TeamWrite,
  { folder, name, kind, source, at, ...content }: NewTeamFile,
): Promise<{ key: TeamFileKey; id: TeamFileId }> {
  const { write, team } = change
  await getFolderPath(write, team, folder)
  await checkFileQuota(change, source.sizeBytes)
  const id = createPublicId('fil')
  const time = at ?? (await takeTime(write, team))
  const { key } = await write
    .insertInto('team_file')
    .values({
      public_id: id,
      team_id: team,
      folder_id: folder,
      name: readName(name),
      name_folded: foldName(name),
      kind,
      created_at: time,
      updated_at: time,
      ...fileColumns(source, content),
    })
    .returning('id as key')
    .executeTakeFirstOrThrow()
  await insertObjectIds(write, key, content.objectIds)
  return { key, id }
}

/** Replaces the bytes; the file keeps its id, its name and its folder. Throws the same errors as `createFile`. */
export async function updateFile(
  change: TeamWrite,
  key: TeamFileKey,
  { source, at, ...content }: ChangedTeamFile,
): Promise<void> {
  const { write, team } = change
  const before = await getFile(change, key)
  await checkFileQuota(change, source.sizeBytes, before.sizeBytes)
  await discardBlobs(write, [before.blob, ...(before.thumbnail ? [before.thumbnail] : [])])
  await write
    .updateTable('team_file')
    .set({ updated_at: at ?? (await takeTime(write, team)), ...fileColumns(source, content) })
    .where('id', '=', key)
    .execute()
  await write.deleteFrom('model_object').where('file_id', '=', key).execute()
  await insertObjectIds(write, key, content.objectIds)
}

/** Whether the file says the same of itself. */
export async function hasFacts({ write }: TeamWrite, key: TeamFileKey, facts: string): Promise<boolean> {
  const stored = await write.selectFrom('team_file').where('id', '=', key).select('facts').executeTakeFirst()
  return stored?.facts === facts
}

export async function renameFile({ write, team }: TeamWrite, key: TeamFileKey, name: string): Promise<void> {
  await getFile({ write, team }, key)
  const names = { name: readName(name), name_folded: foldName(name) }
  const set = { ...names, updated_at: await takeTime(write, team) }
  await write.updateTable('team_file').set(set).where('id', '=', key).execute()
}

export async function moveFile(
  { write, team }: TeamWrite,
  key: TeamFileKey,
  folder: FolderKey,
): Promise<void> {
  await getFile({ write, team }, key)
  await getFolderPath(write, team, folder)
  await write.updateTable('team_file').set({ folder_id: folder }).where('id', '=', key).execute()
}

/** Throws a {@link FilingError} when the team has no such file, or has it in the bin. */
async function getFile({ write, team }: TeamWrite, key: TeamFileKey) {
  const file = await write
    .selectFrom('team_file')
    .where('id', '=', key)
    .where('team_id', '=', team)
    .where('bin_id', 'is', null)
    .select(['source_size as sizeBytes', 'blob', 'thumbnail'])
    .executeTakeFirst()
  if (!file) throw new FilingError('gone', `The team ${team} has no file ${key}.`)
  return file
}

function fileColumns(source: DocumentSource, { facts, thumbnail }: Omit<TeamFileContent, 'objectIds'>) {
  const { source_view, source_facts, source_reading, source_blob, ...columns } = sourceColumns(source)
  return {
    ...columns,
    source_sha256: source.sha256,
    source_size: source.sizeBytes,
    source_gone: null,
    blob: source.blob,
    facts,
    thumbnail: thumbnail ?? null,
  }
}

async function insertObjectIds(write: Write, file: TeamFileKey, objectIds: readonly string[]): Promise<void> {
  for (const portion of inBatches(objectIds)) {
    await write
      .insertInto('model_object')
      .values(portion.map((object_id) => ({ object_id, file_id: file })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
