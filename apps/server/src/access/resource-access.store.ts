import type {
  BinItemId,
  DocumentId,
  FolderId,
  MemberRole,
  TeamFileId,
  TeamId,
  UserId,
} from '@meadow/contract'
import type { Sharing } from '@meadow/contract/web'
import type { Database, Select } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { BinKey, DocumentKey, FolderKey, TeamFileKey, TeamKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'
import { sharingColumn } from '../team/sharing.ts'
import { isMembershipOpen } from './required-factors.ts'

/** A team, and the requester's role in it. */
export interface TeamAccess {
  team: TeamKey
  teamId: TeamId
  teamName: string
  /** The role of the requester in the team; null when they are not a member. */
  role: MemberRole | null
  /** The team whose host name the request came under: this one, or null. */
  teamOfHost: TeamKey | null
}

export type FolderAccess = TeamAccess & { folder: FolderKey; parent: FolderKey | null }
export type DocumentAccess = TeamAccess & {
  document: DocumentKey
  documentId: DocumentId
  visibility: Sharing
}
export type FileAccess = TeamAccess & { file: TeamFileKey }
export type BinItemAccess = TeamAccess & { binItem: BinKey }

/**
 * Who requests a resource: the user, undefined when they are not signed in, and the host name of the request (lower
 * case, without a port). Under the host name of a team there is only that team (decision 3).
 */
export interface Requester {
  user: UserId | undefined
  host: string
}

/**
 * Finds the resources that paths of the app API name. `id` is any input; the result is undefined when no resource has
 * it, or the resource is in the bin. The caller decides by role and visibility whether the requester may see the
 * resource.
 */
export interface ResourceAccess {
  findTeam(requester: Requester, id: string): Promise<TeamAccess | undefined>
  findFolder(requester: Requester, id: string): Promise<FolderAccess | undefined>
  findDocument(requester: Requester, id: string): Promise<DocumentAccess | undefined>
  findFile(requester: Requester, id: string): Promise<FileAccess | undefined>
  findBinItem(requester: Requester, id: string): Promise<BinItemAccess | undefined>
}

interface Parameters<Id> {
  id: Id
  user: string
  host: string
}

/** The id of a requester who is not signed in, which no user has. */
const ANONYMOUS = ''

export function createResourceAccess(database: Database): ResourceAccess {
  const readTeam = database.prepare((read, parameters: Parameters<TeamId>) =>
    selectTeams(read, parameters).where('team.public_id', '=', parameters.id),
  )
  const readFolder = database.prepare((read, parameters: Parameters<FolderId>) =>
    selectTeams(read, parameters)
      .innerJoin('folder', 'folder.team_id', 'team.id')
      .where('folder.public_id', '=', parameters.id)
      .where('folder.bin_id', 'is', null)
      .select(['folder.id as folder', 'folder.parent_id as parent']),
  )
  const readDocument = database.prepare((read, parameters: Parameters<DocumentId>) =>
    selectTeams(read, parameters)
      .innerJoin('document', 'document.team_id', 'team.id')
      .where('document.public_id', '=', parameters.id)
      .where('document.bin_id', 'is', null)
      .select([
        'document.id as document',
        'document.public_id as documentId',
        sharingColumn.as('visibility'),
        'document.public_until as publicUntil',
      ]),
  )
  const readFile = database.prepare((read, parameters: Parameters<TeamFileId>) =>
    selectTeams(read, parameters)
      .innerJoin('team_file as file', 'file.team_id', 'team.id')
      .where('file.public_id', '=', parameters.id)
      .where('file.bin_id', 'is', null)
      .select('file.id as file'),
  )
  const readBinItem = database.prepare((read, parameters: Parameters<BinItemId>) =>
    selectTeams(read, parameters)
      .innerJoin('bin_item', 'bin_item.team_id', 'team.id')
      .where('bin_item.public_id', '=', parameters.id)
      .select('bin_item.id as binItem'),
  )
  const of = ({ user, host }: Requester) => ({ user: user ?? ANONYMOUS, host })
  return {
    findTeam: async (requester, id) =>
      isPublicId('team', id) ? readTeam.first({ ...of(requester), id }) : undefined,
    findFolder: async (requester, id) =>
      isPublicId('fld', id) ? readFolder.first({ ...of(requester), id }) : undefined,
    async findDocument(requester, id) {
      const row = isPublicId('doc', id) ? await readDocument.first({ ...of(requester), id }) : undefined
      if (!row) return undefined
      const { publicUntil, ...access } = row
      const isOver = publicUntil !== null && publicUntil <= timeOf(database.read)
      return isOver ? { ...access, visibility: 'private' } : access
    },
    findFile: async (requester, id) =>
      isPublicId('fil', id) ? readFile.first({ ...of(requester), id }) : undefined,
    findBinItem: async (requester, id) =>
      isPublicId('bin', id) ? readBinItem.first({ ...of(requester), id }) : undefined,
  }
}

const selectTeams = (read: Select, { user, host }: Omit<Parameters<unknown>, 'id'>) =>
  read
    .selectFrom('team')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.team_id', '=', 'team.id')
        .on('membership.user_id', '=', user as UserId)
        .on(isMembershipOpen()),
    )
    .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
    .where('team.deleted_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('team_of_host.id', 'is', null), eb('team_of_host.id', '=', eb.ref('team.id'))]),
    )
    .select([
      'team.id as team',
      'team.public_id as teamId',
      'team.name as teamName',
      'membership.role',
      'team_of_host.id as teamOfHost',
    ])
