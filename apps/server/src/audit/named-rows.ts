import type { UserId } from '@meadow/contract'
import type { Select } from '../platform/database/database.ts'
import type { DocumentKey, FolderKey, TeamFileKey } from '../platform/database/tables.ts'
import type { AuditTarget } from './record-event.ts'

/** A row that the audit log names. */
export type NamedRow =
  | { kind: 'document'; key: DocumentKey }
  | { kind: 'folder'; key: FolderKey }
  | { kind: 'file'; key: TeamFileKey }

/** The table of each kind of row. */
export const TABLES = { document: 'document', folder: 'folder', file: 'team_file' } as const

/** A folder, document or other file as the audit log names it. */
export async function readTarget(read: Select, { kind, key }: NamedRow): Promise<AuditTarget> {
  const [target] = await readTargets(read, kind, [key])
  return target ?? { kind }
}

/** Rows of one kind as the audit log names them; those that are not there are left out. */
export async function readTargets(
  read: Select,
  kind: NamedRow['kind'],
  keys: readonly NamedRow['key'][],
): Promise<AuditTarget[]> {
  const rows = await read
    .selectFrom<'document' | 'folder' | 'team_file'>(TABLES[kind])
    .where('id', 'in', keys)
    .select(['public_id as id', 'name'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ kind, ...row }))
}

/** A user as the audit log names them: by their e-mail address. */
export async function readUserTarget(read: Select, id: UserId): Promise<AuditTarget> {
  const user = await read.selectFrom('user').where('id', '=', id).select('email').executeTakeFirst()
  return { kind: 'user', id, name: user?.email }
}
