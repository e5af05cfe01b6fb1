import type { DocumentKey } from '../../platform/database/tables.ts'
import type { StoredJson } from '../content.store.ts'
import { findHead, OutdatedError, type PreparedReplacement, readUpdates } from '../replace-content.ts'
import type { HistoryWork } from './history-work.ts'
import { keepVersions, type VersionParts } from './keep-versions.ts'
import { findGroup } from './versions.store.ts'

/**
 * Keeps the versions of a document that are due before an import, and finds the edit that gives it the content of the
 * import: what takes too long to be done in the transaction that imports it.
 */
export async function prepareReplacement(
  parts: VersionParts & { history: HistoryWork },
  document: DocumentKey,
  content: StoredJson,
): Promise<PreparedReplacement> {
  const { read } = parts.database
  await keepVersions(parts, document, 'import')
  const head = await findHead(read, document)
  if (!head) throw new OutdatedError('The document was deleted meanwhile.')
  const updates = await readUpdates(read, document)
  if (!updates) return { seq: head.seq, edit: undefined, values: [] }
  const request = { kind: 'replace' as const, content, updates }
  const { edit, values } = await parts.history.replace(request, await findGroup(read, document))
  return { seq: head.seq, edit, values }
}
