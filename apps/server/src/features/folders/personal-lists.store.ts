import type { UserId } from '@meadow/contract'
import {
  type AppResponse,
  FAVOURITES_LIMIT,
  type ItemReference,
  type listFavourites,
  type listRecents,
  RECENT_LIMIT,
} from '@meadow/contract/web'
import { type SqlBool, sql } from 'kysely'
import type { TeamAccess } from '../../access/resource-access.store.ts'
import { HttpError } from '../../http/http-error.ts'
import { findItems } from '../../library/items.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { sortByName } from '../../platform/sort-by-name.ts'
import {
  countThreads,
  readNames,
  selectDocuments,
  selectFiles,
  toListedDocument,
  toListedFile,
} from './listed-documents.ts'

/** What a person opened lately and marked as favourites. Lists have only what is in a team and not in its bin. */
export interface PersonalLists {
  listRecents(access: TeamAccess, user: UserId): Promise<AppResponse<typeof listRecents>>
  /** Writes at most once a minute for each document, and remembers `RECENT_LIMIT` documents of each person. */
  markOpened(user: UserId, document: DocumentKey, now: number): Promise<void>
  listFavourites(access: TeamAccess, user: UserId): Promise<AppResponse<typeof listFavourites>>
  /** Items that the team does not have are ignored. Throws `too_many_favourites`, and marks none. */
  changeFavourites(
    access: TeamAccess,
    user: UserId,
    items: readonly ItemReference[],
    isFavourite: boolean,
  ): Promise<void>
}

const WRITTEN_AGAIN_AFTER_MS = 60_000
const COLUMNS = { folder: 'folder_id', document: 'document_id', file: 'file_id' } as const

const isListedBy = (list: 'recent_document' | 'favourite', user: UserId) =>
  sql<SqlBool>`exists (select 1 from ${sql.table(list)} as listing
    where listing.document_id = document.id and listing.user_id = ${user})`

export function createPersonalLists(database: Pick<Database, 'read' | 'transaction'>): PersonalLists {
  const { read } = database
  return {
    async listRecents({ team, teamName }, user) {
      const rows = await selectDocuments(read, team, user)
        .innerJoin('recent_document', 'recent_document.document_id', 'document.id')
        .where('recent_document.user_id', '=', user)
        .select('recent_document.opened_at')
        .orderBy('recent_document.opened_at', 'desc')
        .orderBy('document.id')
        .execute()
      const [people, threads] = await Promise.all([
        readNames(read, rows),
        countThreads(read, team, user, isListedBy('recent_document', user)),
      ])
      const documents = rows.map((row) => {
        const { folder, ...document } = toListedDocument(row, { people, threads }, { teamName })
        return { ...document, folder: folder!, openedAt: toTimestamp(row.opened_at) }
      })
      return { documents }
    },

    async markOpened(user, document, now) {
      const known = await read
        .selectFrom('recent_document')
        .where('user_id', '=', user)
        .where('document_id', '=', document)
        .select('opened_at')
        .executeTakeFirst()
      if (known && now - known.opened_at < WRITTEN_AGAIN_AFTER_MS) return
      await database.transaction(async (write) => {
        await write
          .insertInto('recent_document')
          // The document may have been deleted since, and the account too.
          .columns(['user_id', 'document_id', 'opened_at'])
          .expression(({ selectFrom, val }) =>
            selectFrom('document')
              .innerJoin('user', (join) => join.on('user.id', '=', user))
              .where('document.id', '=', document)
              .select(['user.id', 'document.id as document', val(now).as('opened_at')]),
          )
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'document_id']).doUpdateSet({ opened_at: now }),
          )
          .execute()
        if (!known) await forgetOldest(write, user)
      })
    },

    async listFavourites({ team, teamName }, user) {
      const [folders, documents, files] = await Promise.all([
        read
          .selectFrom('favourite')
          .innerJoin('folder', 'folder.id', 'favourite.folder_id')
          .leftJoin('folder as parent', 'parent.id', 'folder.parent_id')
          .where('favourite.user_id', '=', user)
          .where('folder.team_id', '=', team)
          .where('folder.bin_id', 'is', null)
          .select(['folder.public_id as id', 'folder.name', 'folder.parent_id as isBelow'])
          .select(['parent.public_id as parentId', 'parent.name as parentName', 'parent.parent_id as above'])
          .execute(),
        selectDocuments(read, team, user)
          .innerJoin('favourite', 'favourite.document_id', 'document.id')
          .where('favourite.user_id', '=', user)
          .execute(),
        selectFiles(read, team, user)
          .innerJoin('favourite', 'favourite.file_id', 'team_file.id')
          .where('favourite.user_id', '=', user)
          .execute(),
      ])
      const [people, threads] = await Promise.all([
        readNames(read, documents),
        countThreads(read, team, user, isListedBy('favourite', user)),
      ])
      return {
        folders: sortByName(
          folders.map(({ id, name, isBelow, parentId, parentName, above }) => ({
            id,
            name: isBelow === null ? teamName : name,
            // The root is in itself.
            folder: {
              id: parentId ?? id,
              name: above === null || parentName === null ? teamName : parentName,
            },
          })),
        ),
        documents: sortByName(
          documents.map((row) => withFolder(toListedDocument(row, { people, threads }, { teamName }))),
        ),
        files: sortByName(files.map((row) => withFolder(toListedFile(row, { teamName })))),
      }
    },

    changeFavourites: ({ team }, user, items, isFavourite) =>
      database.transaction(async (write) => {
        const found = await findItems({ write, team }, items)
        for (const { kind, key } of found) {
          if (!isFavourite)
            await write
              .deleteFrom('favourite')
              .where('user_id', '=', user)
              .where(COLUMNS[kind], '=', key as never)
              .execute()
          else
            await write
              .insertInto('favourite')
              .values({
                user_id: user,
                folder_id: kind === 'folder' ? key : null,
                document_id: kind === 'document' ? key : null,
                file_id: kind === 'file' ? key : null,
              })
              .onConflict((conflict) => conflict.doNothing())
              .execute()
        }
        if (isFavourite && (await countFavourites(write, user)) > FAVOURITES_LIMIT)
          throw new HttpError('too_many_favourites')
      }),
  }
}

const withFolder = <T extends { folder?: unknown }>({ folder, ...item }: T) => ({
  ...item,
  folder: folder as NonNullable<T['folder']>,
})

async function countFavourites(write: Write, user: UserId): Promise<number> {
  const { count } = await write
    .selectFrom('favourite')
    .where('user_id', '=', user)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function forgetOldest(write: Write, user: UserId): Promise<void> {
  const oldest = await write
    .selectFrom('recent_document')
    .where('user_id', '=', user)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .offset(RECENT_LIMIT)
    .select('opened_at')
    .executeTakeFirst()
  if (!oldest) return
  await write
    .deleteFrom('recent_document')
    .where('user_id', '=', user)
    .where('opened_at', '<=', oldest.opened_at)
    .execute()
}
