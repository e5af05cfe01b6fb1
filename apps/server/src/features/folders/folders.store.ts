import type { DocumentSummary, Folder, FolderId, FolderReference } from '@meadow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { type DocumentSummaryRow, toSummary } from '../../platform/database/document-summary.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { sortByName } from '../../platform/sort-by-name.ts'

/** The queries of the API about folders. */
export interface FolderStore {
  /**
   * The folder with its ancestors and its direct contents, sorted (decision 14).
   * `id` is what the caller sent; `root` is the team's root folder.
   * Undefined when the team has no such folder (for `root`: when it is not set up correctly).
   */
  find(team: TeamKey, id: string): Promise<Folder | undefined>
}

export function createFolderStore(database: Database): FolderStore {
  const readFolder = database.prepare((_, { team, id }: { team: TeamKey; id: FolderId }) =>
    selectParts(sql`public_id = ${id} and team_id = ${team} and bin_id is null`),
  )
  const readRoot = database.prepare((_, { team }: { team: TeamKey }) =>
    selectParts(sql`parent_id is null and team_id = ${team}`),
  )
  return {
    async find(team, id) {
      if (id === 'root') return toFolder(await readRoot.all({ team }))
      return isPublicId('fld', id) ? toFolder(await readFolder.all({ team, id })) : undefined
    },
  }
}

/** A row of the one statement that reads a folder with its ancestors and contents. */
type FolderPart =
  /** The folder itself at height 0, its parent at 1, and so on up to the root. */
  | { part: 'ancestor'; height: number; id: FolderId; name: string }
  | { part: 'folder'; id: FolderId; name: string }
  | ({ part: 'document' } & DocumentSummaryRow)

const selectParts = (isFolder: RawBuilder<unknown>): RawBuilder<FolderPart> => sql`
  with recursive ancestors (id, parent_id, public_id, name, height) as (
    select id, parent_id, public_id, name, 0 from folder where ${isFolder}
    union all
    select folder.id, folder.parent_id, folder.public_id, folder.name, ancestors.height + 1
    from ancestors join folder on folder.id = ancestors.parent_id
  )
  select 'ancestor' as part, height, public_id as id, name,
    cast(null as text) as visibility, cast(null as bigint) as created_at, cast(null as bigint) as updated_at
  from ancestors
  union all
  select 'folder', null, folder.public_id, folder.name, null, null, null
  from ancestors join folder on folder.parent_id = ancestors.id where ancestors.height = 0 and folder.bin_id is null
  union all
  select 'document', null, document.public_id, document.name, visibility, created_at, updated_at
  from ancestors join document on document.folder_id = ancestors.id where ancestors.height = 0 and document.bin_id is null`

function toFolder(parts: FolderPart[]): Folder | undefined {
  const ancestors: (FolderReference & { height: number })[] = []
  const folders: FolderReference[] = []
  const documents: DocumentSummary[] = []
  for (const part of parts) {
    if (part.part === 'ancestor') ancestors.push(part)
    else if (part.part === 'folder') folders.push({ id: part.id, name: part.name })
    else documents.push(toSummary(part))
  }
  ancestors.sort((a, b) => b.height - a.height)
  const self = ancestors.pop()
  if (!self) return undefined
  return {
    id: self.id,
    name: self.name,
    parentId: ancestors.at(-1)?.id ?? null,
    path: ancestors.map(({ id, name }) => ({ id, name })),
    folders: sortByName(folders),
    documents: sortByName(documents),
  }
}
