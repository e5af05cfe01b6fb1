import type {
  BinItemId,
  DocumentId,
  FolderId,
  MemberRole,
  TeamId,
  UserId,
  Visibility,
} from '@meadow/contract'
import type { Database, Select } from '../platform/database/database.ts'
import type { BinKey, DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'

/** A team, and how somebody stands to it. */
export interface TeamAccess {
  team: TeamKey
  teamId: TeamId
  teamName: string
  /** Null: no member. */
  role: MemberRole | null
}

/** Something of a team that an address names. */
export type FolderAccess = TeamAccess & { folder: FolderKey; parent: FolderKey | null }
export type DocumentAccess = TeamAccess & {
  document: DocumentKey
  documentId: DocumentId
  visibility: Visibility
}
export type BinItemAccess = TeamAccess & { binItem: BinKey }

/**
 * Who asks, and under which host name (lower case, without a port): at a host name that is a team's own there is
 * nothing but that team (decision 3). `user` is undefined for whoever is not signed in.
 */
export interface Requester {
  user: UserId | undefined
  host: string
}

/**
 * Finds what an address of the web app names. `id` is what the caller sent; undefined when nothing has it, or it is in
 * the bin. Whether the asker may see it is for the caller to tell, by role and visibility.
 */
export interface ResourceAccess {
  findTeam(asker: Requester, id: string): Promise<TeamAccess | undefined>
  findFolder(asker: Requester, id: string): Promise<FolderAccess | undefined>
  findDocument(asker: Requester, id: string): Promise<DocumentAccess | undefined>
  findBinItem(asker: Requester, id: string): Promise<BinItemAccess | undefined>
}

interface Parameters<Id> {
  id: Id
  user: string
  host: string
}

/** No user has it. */
const NOBODY = ''

export function createResourceAccess(database: Database): ResourceAccess {
  const readTeam = database.prepare((read, asked: Parameters<TeamId>) =>
    selectTeams(read, asked).where('team.public_id', '=', asked.id),
  )
  const readFolder = database.prepare((read, asked: Parameters<FolderId>) =>
    selectTeams(read, asked)
      .innerJoin('folder', 'folder.team_id', 'team.id')
      .where('folder.public_id', '=', asked.id)
      .where('folder.bin_id', 'is', null)
      .select(['folder.id as folder', 'folder.parent_id as parent']),
  )
  const readDocument = database.prepare((read, asked: Parameters<DocumentId>) =>
    selectTeams(read, asked)
      .innerJoin('document', 'document.team_id', 'team.id')
      .where('document.public_id', '=', asked.id)
      .where('document.bin_id', 'is', null)
      .select(['document.id as document', 'document.public_id as documentId', 'document.visibility']),
  )
  const readBinItem = database.prepare((read, asked: Parameters<BinItemId>) =>
    selectTeams(read, asked)
      .innerJoin('bin_item', 'bin_item.team_id', 'team.id')
      .where('bin_item.public_id', '=', asked.id)
      .select('bin_item.id as binItem'),
  )
  const of = ({ user, host }: Requester) => ({ user: user ?? NOBODY, host })
  return {
    findTeam: async (asker, id) =>
      isPublicId('team', id) ? readTeam.first({ ...of(asker), id }) : undefined,
    findFolder: async (asker, id) =>
      isPublicId('fld', id) ? readFolder.first({ ...of(asker), id }) : undefined,
    findDocument: async (asker, id) =>
      isPublicId('doc', id) ? readDocument.first({ ...of(asker), id }) : undefined,
    findBinItem: async (asker, id) =>
      isPublicId('bin', id) ? readBinItem.first({ ...of(asker), id }) : undefined,
  }
}

const selectTeams = (read: Select, { user, host }: Omit<Parameters<unknown>, 'id'>) =>
  read
    .selectFrom('team')
    .leftJoin('membership', (join) =>
      join.onRef('membership.team_id', '=', 'team.id').on('membership.user_id', '=', user as UserId),
    )
    .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
    .where(({ or, eb }) =>
      or([eb('team_of_host.id', 'is', null), eb('team_of_host.id', '=', eb.ref('team.id'))]),
    )
    .select(['team.id as team', 'team.public_id as teamId', 'team.name as teamName', 'membership.role'])
