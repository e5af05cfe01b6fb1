import { basename } from 'node:path/posix'
import type { UserId } from '@meadow/contract'
import type {
  DocumentVersion,
  PersonReference,
  UnversionedChanges,
  VersionAuthor,
} from '@meadow/contract/web'
import { type CountedAuthor, findNewest, listAuthors } from '../../content/history/versions.store.ts'
import { readAfter, writeAfter } from '../../http/app-api/read-input.ts'
import type { Database, Select } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey, VersionKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'

/** The queries about versions, for the web app and for commands. */
export interface VersionStore {
  /** Lists the versions of a document, newest first; `after` is what the caller sent. */
  list(
    document: VersionedDocument,
    page: { after?: string | undefined; keptOnly?: boolean },
  ): Promise<VersionPage>
  /** `id` is what the caller sent. */
  find(document: VersionedDocument, id: string): Promise<FoundVersion | undefined>
  /** The version as of a position in the log. */
  findAt(document: VersionedDocument, seq: number): Promise<FoundVersion | undefined>
  get(document: VersionedDocument, key: VersionKey): Promise<FoundVersion>
  /** What was changed since the newest version; undefined when nothing was. */
  findCurrent(document: DocumentKey): Promise<UnversionedChanges | undefined>
}

export interface VersionedDocument {
  document: DocumentKey
  team: TeamKey
}

export type FoundVersion = DocumentVersion & { key: VersionKey }

export interface VersionPage {
  versions: DocumentVersion[]
  next: string | null
}

const PAGE = 100

export function createVersionStore({ read }: Pick<Database, 'read'>): VersionStore {
  const select = ({ document, team }: VersionedDocument) =>
    selectVersions(read).where('version.document_id', '=', document).where('version.team_id', '=', team)
  return {
    async list(document, { after, keptOnly = false }) {
      const rows = await select(document)
        .where('version.seq', '<', readAfter(after))
        .$if(keptOnly, (query) =>
          query.where(({ or, eb }) =>
            or([eb('version.name', 'is not', null), eb('version.is_pinned', '=', 1)]),
          ),
        )
        .orderBy('version.seq', 'desc')
        .limit(PAGE + 1)
        .execute()
      const versions = await toVersions(read, rows.slice(0, PAGE))
      const next = rows.length > PAGE ? writeAfter(versions.at(-1)!.seq) : null
      return { versions: versions.map(({ key: _, ...version }) => version), next }
    },
    async find(document, id) {
      if (!isPublicId('ver', id)) return undefined
      const rows = await select(document).where('version.public_id', '=', id).execute()
      return (await toVersions(read, rows))[0]
    },
    async findAt(document, seq) {
      const rows = await select(document).where('version.seq', '=', seq).execute()
      return (await toVersions(read, rows))[0]
    },
    async get(document, key) {
      const rows = await select(document).where('version.id', '=', key).execute()
      const [version] = await toVersions(read, rows)
      if (!version) throw new Error(`There is no version ${key} of document ${document.document}.`)
      return version
    },
    async findCurrent(document) {
      const newest = await findNewest(read, document)
      const head = await read
        .selectFrom('document')
        .where('id', '=', document)
        .select(['seq', 'updated_at as at'])
        .executeTakeFirst()
      if (!head || head.seq <= (newest?.seq ?? 0)) return undefined
      const authors = await listAuthors(read, document, newest?.seq ?? 0, head.seq)
      const people = await listPeople(read, authors)
      return { seq: head.seq, at: toTimestamp(head.at), authors: toAuthors(authors, people) }
    },
  }
}

const selectVersions = (read: Select) =>
  read
    .selectFrom('document_version as version')
    .leftJoin('version_source as source', 'source.id', 'version.source_id')
    .select([
      'version.id as key',
      'version.public_id as id',
      'version.seq',
      'version.at',
      'version.kind',
      'version.name',
      'version.named_by as namedBy',
      'version.is_pinned as isPinned',
      'version.authors',
      'version.nodes',
      'version.wires',
      'source.name as sourcePath',
    ])
    .select(({ selectFrom }) =>
      selectFrom('solve')
        .whereRef('solve.document_id', '=', 'version.document_id')
        .whereRef('solve.fingerprint', '=', 'version.fingerprint')
        .where('solve.state', '=', 'solved')
        .orderBy('solve.id', 'desc')
        .limit(1)
        .select('solve.public_id')
        .as('solutionId'),
    )

type VersionRow = Awaited<ReturnType<ReturnType<typeof selectVersions>['execute']>>[number]

async function toVersions(read: Select, rows: readonly VersionRow[]): Promise<FoundVersion[]> {
  const counted = rows.map(({ authors }): CountedAuthor[] => JSON.parse(authors))
  const named = rows.flatMap(({ namedBy }): CountedAuthor[] => (namedBy ? [['person', namedBy, 0]] : []))
  const people = await listPeople(read, [...counted.flat(), ...named])
  return rows.map(({ authors: _, at, namedBy, isPinned, sourcePath, ...row }, position) => ({
    ...row,
    at: toTimestamp(at),
    isPinned: isPinned === 1,
    namedBy: (namedBy && people.get(namedBy)) ?? null,
    authors: toAuthors(counted[position]!, people),
    fileName: sourcePath === null ? null : basename(sourcePath),
  }))
}

const toAuthors = (
  authors: readonly CountedAuthor[],
  people: ReadonlyMap<UserId, PersonReference>,
): VersionAuthor[] =>
  authors.map(([kind, user, changes]) => ({ kind, person: (user && people.get(user)) ?? null, changes }))

/** Finds the authors that have an account. */
async function listPeople(
  read: Select,
  authors: readonly CountedAuthor[],
): Promise<ReadonlyMap<UserId, PersonReference>> {
  const ids = [...new Set(authors.flatMap(([, user]) => user ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await read.selectFrom('user').where('id', 'in', ids).select(['id', 'name']).execute()
  return new Map(rows.map((person) => [person.id, person]))
}
