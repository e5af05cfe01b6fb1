import type { Write } from '../platform/database/database.ts'
import { type DocumentKey, SOLVE_BLOB_COLUMNS, type TeamFileKey } from '../platform/database/tables.ts'
import { discardBlobs } from './content-blobs.ts'

/** Deletes documents for good, with their versions. Their blobs, those of their solutions and of their exports are discarded. */
export async function deleteDocuments(write: Write, documents: readonly DocumentKey[]): Promise<void> {
  if (documents.length === 0) return
  await discardBlobsOf(write, documents)
  // What they cost stays in the list of credits, without their names.
  await write
    .updateTable('credit_entry')
    .set({ document_name: '' })
    .where('document_id', 'in', ({ selectFrom }) =>
      selectFrom('document').where('document.id', 'in', documents).select('document.public_id'),
    )
    .execute()
  await write.deleteFrom('document').where('id', 'in', documents).execute()
}

/** Deletes other files of teams for good; their blobs are discarded. */
export async function deleteFiles(write: Write, files: readonly TeamFileKey[]): Promise<void> {
  if (files.length === 0) return
  const rows = await write
    .selectFrom('team_file')
    .where('id', 'in', files)
    .select(['blob', 'thumbnail'])
    .execute()
  const digests = new Set(rows.flatMap(({ blob, thumbnail }) => (thumbnail ? [blob, thumbnail] : [blob])))
  await discardBlobs(write, [...digests])
  await write.deleteFrom('team_file').where('id', 'in', files).execute()
}

/** Marks the blobs of the documents, their solutions and exports for garbage collection. */
async function discardBlobsOf(write: Write, documents: readonly DocumentKey[]): Promise<void> {
  const [solves, snapshots, facts, values, thumbnails, sources, ...history] = [
    await write
      .selectFrom('solve')
      .where('document_id', 'in', documents)
      .select(SOLVE_BLOB_COLUMNS)
      .execute(),
    await write
      .selectFrom('document_snapshot')
      .where('document_id', 'in', documents)
      .select('blob')
      .execute(),
    await write
      .selectFrom('document_facts')
      .where('document_id', 'in', documents)
      .select('clusters_blob')
      .execute(),
    await write.selectFrom('document_value').where('document_id', 'in', documents).select('digest').execute(),
    await write
      .selectFrom('document_thumbnail')
      .where('document_id', 'in', documents)
      .select('digest')
      .execute(),
    await write.selectFrom('document').where('id', 'in', documents).select('source_blob').execute(),
    await write.selectFrom('version_base').where('document_id', 'in', documents).select('blob').execute(),
    await write
      .selectFrom('version_source')
      .where('document_id', 'in', documents)
      .select(['blob', 'clusters_blob'])
      .execute(),
    await write.selectFrom('version_value').where('document_id', 'in', documents).select('digest').execute(),
  ]
  const exports = await write
    .deleteFrom('export_file')
    .where('document_id', 'in', documents)
    .returning('digest')
    .execute()
  const digests = new Set(
    [...solves, ...snapshots, ...facts, ...values, ...thumbnails, ...sources, ...history.flat(), ...exports]
      .flatMap((row) => Object.values(row))
      .filter((digest) => digest !== null),
  )
  await discardBlobs(write, [...digests])
}
