import type { UserId } from '@meadow/contract'
import {
  type AppFolder,
  type AppResponse,
  type FolderFilters,
  LIBRARY_KINDS,
  NARROWING_FILTERS,
  type readFilterChoices,
  SUBFOLDERS_LIMIT,
  TEXT_KINDS,
} from '@meadow/contract/web'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FolderAccess } from '../../access/resource-access.store.ts'
import { makeIsBelow } from '../../library/listing.ts'
import type { Database, Dialect } from '../../platform/database/database.ts'
import type { FolderKey, TeamFileKind } from '../../platform/database/tables.ts'
import { compareNames, sortByName } from '../../platform/sort-by-name.ts'
import {
  changedBy,
  countThreads,
  readNames,
  selectDocuments,
  selectFiles,
  toListedDocument,
  toListedFile,
} from './listed-documents.ts'

type Contents = Pick<AppFolder, 'documents' | 'files' | 'truncated' | 'withoutFilter'>

/** What is in a folder, filtered by the database: a page shows all of it, so that it can sort and select all of it. */
export interface FolderListing {
  /** Lists what is in the folder by name. */
  listContents(access: FolderAccess, user: UserId, filters: FolderFilters): Promise<Contents>
  listChoices(access: FolderAccess): Promise<AppResponse<typeof readFilterChoices>>
}

export function createFolderListing({ read, dialect }: Pick<Database, 'read' | 'dialect'>): FolderListing {
  /** Makes a condition on the column that names the folder of a row. */
  const makeIsIn = async (folder: FolderKey, isDeep: boolean): ReturnType<typeof makeIsBelow> =>
    isDeep ? makeIsBelow(read, folder) : (column) => sql`${sql.ref(column)} = ${folder}`

  async function findMatches({ team, folder }: FolderAccess, user: UserId, filters: FolderFilters) {
    const isIn = await makeIsIn(folder, filters.subfolders !== undefined)
    const { state, author, creator, plugin, kind } = filters
    let documents = selectDocuments(read, team, user).where(isIn('document.folder_id'))
    if (plugin !== undefined)
      documents = documents.where('document.id', 'in', ({ selectFrom }) =>
        selectFrom('used_thing')
          .innerJoin('document_use', 'document_use.thing_id', 'used_thing.id')
          .where('used_thing.team_id', '=', team)
          .where('used_thing.kind', '=', 'plugin')
          .where('used_thing.key', '=', plugin)
          .select('document_use.document_id'),
      )
    if (creator !== undefined) documents = documents.where('document.created_by', '=', creator as UserId)
    let listed = read.selectFrom(documents.as('listed')).selectAll()
    if (state !== undefined) listed = listed.where(STATES[state](IS_COMPLETE[dialect]))
    if (author !== undefined) listed = listed.where('changedBy', '=', author as UserId)
    let files = selectFiles(read, team, user).where(isIn('team_file.folder_id'))
    if (kind !== undefined && kind !== 'document')
      files = files.where('team_file.kind', 'in', FILE_KINDS[kind])
    const hasDocuments = kind === undefined || kind === 'document'
    // Other files have no state, no people and no plug-in.
    const isOfDocuments = [state, author, creator, plugin].some((filter) => filter !== undefined)
    const hasFiles = kind !== 'document' && !isOfDocuments
    return { documents: hasDocuments ? listed : undefined, files: hasFiles ? files : undefined }
  }

  async function countMatches(access: FolderAccess, user: UserId, filters: FolderFilters): Promise<number> {
    const { documents, files } = await findMatches(access, user, filters)
    const counts = await Promise.all(
      [documents?.as('matching'), files?.as('matching')].map(async (rows) => {
        if (rows === undefined) return 0
        const { items } = await read
          .selectFrom<never>(rows as never)
          .select(sql<number>`cast(count(*) as integer)`.as('items'))
          .executeTakeFirstOrThrow()
        return items
      }),
    )
    return counts[0]! + counts[1]!
  }

  return {
    async listContents(access, user, filters) {
      const matches = await findMatches(access, user, filters)
      const isDeep = filters.subfolders !== undefined
      const naming = isDeep ? access : undefined
      const limit = isDeep ? SUBFOLDERS_LIMIT + 1 : Number.MAX_SAFE_INTEGER
      const [documents, files, threads] = await Promise.all([
        matches.documents?.orderBy('nameOrder').orderBy('id').limit(limit).execute() ?? [],
        matches.files?.orderBy('team_file.id').limit(limit).execute() ?? [],
        makeIsIn(access.folder, isDeep).then((isIn) =>
          countThreads(read, access.team, user, isIn('document.folder_id')),
        ),
      ])
      const people = await readNames(read, documents)
      const active = NARROWING_FILTERS.filter((filter) => filters[filter] !== undefined)
      const isEmpty = documents.length + files.length === 0
      return {
        documents: sortByName(documents.slice(0, limit - 1)).map((row) =>
          toListedDocument(row, { people, threads }, naming),
        ),
        files: sortByName(files.slice(0, limit - 1).map((row) => toListedFile(row, naming))),
        truncated: documents.length === limit || files.length === limit,
        withoutFilter: isEmpty
          ? await Promise.all(
              active.map(async (filter) => ({
                filter,
                items: await countMatches(access, user, { ...filters, [filter]: undefined }),
              })),
            )
          : [],
      }
    },

    async listChoices({ team, folder }) {
      const isBelow = await makeIsBelow(read, folder)
      const inScope = read
        .selectFrom('document')
        .where('document.team_id', '=', team)
        .where('document.bin_id', 'is', null)
        .where(isBelow('document.folder_id'))
      const countPeople = (column: RawBuilder<UserId | null>) =>
        read
          .selectFrom(inScope.select(column.as('person')).as('listed'))
          .innerJoin('user', 'user.id', 'listed.person')
          .groupBy(['user.id', 'user.name'])
          .select(['user.id', 'user.name', sql<number>`cast(count(*) as integer)`.as('documents')])
          .execute()
      const [authors, creators, plugins] = await Promise.all([
        countPeople(changedBy),
        countPeople(sql`document.created_by`),
        inScope
          .innerJoin('document_use', 'document_use.document_id', 'document.id')
          .innerJoin('used_thing', 'used_thing.id', 'document_use.thing_id')
          .where('used_thing.team_id', '=', team)
          .where('used_thing.kind', '=', 'plugin')
          .groupBy('used_thing.key')
          .select(({ fn }) => [
            'used_thing.key',
            fn.max('used_thing.name').as('name'),
            sql<number>`cast(count(distinct document.id) as integer)`.as('documents'),
          ])
          .execute(),
      ])
      return {
        authors: sortByName(authors),
        creators: sortByName(creators),
        plugins: plugins.sort((a, b) => compareNames(a.name, b.name)),
      }
    },
  }
}

const FILE_KINDS: Record<'model' | 'library_item' | 'text', readonly TeamFileKind[]> = {
  model: ['model'],
  library_item: LIBRARY_KINDS,
  text: TEXT_KINDS,
}

/** Whether a solution lacks no value; solutions from before completeness count as complete. */
const IS_COMPLETE: Record<Dialect, RawBuilder<SqlBool>> = {
  sqlite: sql`(completeness is null or (
    coalesce(completeness ->> 'valuesComplete', completeness ->> 'isComplete') = 1 and completeness ->> 'failed' = 0))`,
  postgres: sql`(completeness is null or (
    coalesce(completeness::json ->> 'valuesComplete', completeness::json ->> 'isComplete') = 'true'
    and completeness::json ->> 'failed' = '0'))`,
}

/** Conditions on the columns of `solveColumns`. */
const STATES: Record<
  NonNullable<FolderFilters['state']>,
  (isComplete: RawBuilder<SqlBool>) => RawBuilder<SqlBool>
> = {
  solved: (isComplete) => sql`solve = 'solved' and ${isComplete}`,
  incomplete: (isComplete) => sql`solve = 'solved' and not ${isComplete}`,
  failed: () => sql`solve = 'failed'`,
  never: () => sql`solve = 'never'`,
  solving: () => sql`solve in ('queued', 'running')`,
}
