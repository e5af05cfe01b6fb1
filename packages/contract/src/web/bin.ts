import Type, { type Static } from 'typebox'
import { FolderReference } from '../folders.ts'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { After, Next, Nothing } from './bodies.ts'
import { PersonReference } from './people.ts'
import { TeamParams } from './team-settings.ts'

export const BinItem = Type.Object({
  /** The id of the item in the bin, which `DELETE` and restoring take. */
  id: Type.String(),
  kind: Type.Enum(['folder', 'document', 'file']),
  name: Type.String(),
  /** The number of documents in the item: 1 for a document, 0 for another file. */
  documents: Type.Integer(),
  /**
   * The folder that the item was in; the root folder has the team's name. Null if that folder was deleted or is in the
   * bin.
   */
  folder: Type.Union([FolderReference, Type.Null()]),
  deletedAt: Timestamp,
  /** Null: a deleted account, or an import because the file of the item was gone. */
  deletedBy: Type.Union([PersonReference, Type.Null()]),
})
export type BinItem = Static<typeof BinItem>

/** The deleted items, the newest first, 100 at a time. */
export const listBin = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/bin',
  needs: 'member',
  params: TeamParams,
  query: Type.Object({ after: After }),
  response: Type.Object({ items: Type.Array(BinItem), next: Next }),
})

const BinParams = Type.Object({ binItemId: Type.String() })

/** Restore an item to its folder, or to the root folder if its folder was deleted. */
export const restoreBinItem = appEndpoint({
  method: 'POST',
  path: '/bin/:binItemId/restore',
  needs: 'member',
  params: BinParams,
  response: Type.Object({
    kind: Type.Enum(['folder', 'document', 'file']),
    /** The id of the restored folder, document or file. */
    id: Type.String(),
    /** The folder that the item is in now. */
    folder: FolderReference,
    /** True if the item's folder was deleted, so that it was restored to the root. */
    wentToRoot: Type.Boolean(),
  }),
  errors: ['folders_too_deep'],
})

/** Delete an item in the bin permanently. */
export const deleteBinItem = appEndpoint({
  method: 'DELETE',
  path: '/bin/:binItemId',
  needs: 'owner',
  needsFreshSignIn: true,
  params: BinParams,
  response: Nothing,
})

/** Delete everything in the bin permanently. */
export const emptyBin = appEndpoint({
  method: 'DELETE',
  path: '/teams/:teamId/bin',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  response: Nothing,
})
