import type { GraphContent } from '@meadow/contract'
import type { Actor } from '../../access/current-roles.ts'
import type { ChangeTeam, ChangeTeamFor } from '../../catalogue/catalogue.ts'
import { isSameSource } from '../../catalogue/versions.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { readVersionSource, readVersionText } from '../../content/history/versions.store.ts'
import { ReplaceError } from '../../content/replace-content.ts'
import { readSmallContent } from '../../content/stored-json.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey, VersionKey } from '../../platform/database/tables.ts'

export interface RestoreParts {
  database: Pick<Database, 'read' | 'transaction'>
  blobs: BlobStore
  /** One of the two, by who restores: a person, or the operator. */
  change: { for: Actor; run: ChangeTeamFor } | { team: TeamKey; run: ChangeTeam }
}

export interface Restored {
  /** The document as it was before. */
  before: VersionKey
  /** What the document has now, or for a caller who applies it, should have. */
  content: GraphContent
  changedFile: boolean
}

/**
 * Restores a version of a document. Undefined when the version was removed meanwhile. Throws a `ReplaceError` when its
 * content cannot be edited, and what `changeTeam` throws.
 */
export async function restoreVersion(
  { database, blobs, change }: RestoreParts,
  document: DocumentKey,
  version: VersionKey,
  isApplied: boolean,
): Promise<Restored | undefined> {
  const { read } = database
  const text = await readVersionText(read, blobs, version)
  if (!text) return undefined
  const content = await readSmallContent(blobs, { bytes: text })
  const source = await readVersionSource(read, version)
  const restored = { version, content, references: listReferencedObjects(content), source, isApplied, blobs }
  const now = await read
    .selectFrom('document')
    .where('id', '=', document)
    .select(['source_blob as blob', 'source_facts as facts', 'source_reading as reading'])
    .executeTakeFirst()
  const before = await keepVersions({ database, blobs }, document, 'restore')
  if (!now || !before) throw new ReplaceError('The document was deleted.')
  const work = (team: { restoreVersion(key: DocumentKey, what: typeof restored): Promise<void> }) =>
    team.restoreVersion(document, restored)
  await ('for' in change ? change.run(change.for, work) : change.run(change.team, work))
  return { before: before.key, content, changedFile: source !== undefined && !isSameSource(source, now) }
}

/** The objects of Rhino models that its values refer to, except for values in the blob store. */
export function listReferencedObjects({ nodes }: GraphContent): string[] {
  const values = Object.values(nodes)
    .flatMap((node) => Object.values(node.values))
    .flatMap(({ branches }) => branches)
    .flatMap((branch) => branch.values)
  return [...new Set(values.flatMap((value) => value?.referenceId?.toLowerCase() ?? []))]
}
