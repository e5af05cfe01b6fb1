import type { IndexState, TeamFileId } from '@meadow/contract'
import type { SuggestedUse, UseKind, UseReference, UsingDocument } from '@meadow/contract/web'
import { SUGGESTIONS_LIMIT, USES_LIMIT } from '@meadow/contract/web'
import { findComponentName, listFileOrigins } from '@meadow/document'
import { type SqlBool, sql } from 'kysely'
import { readIndexState } from '../../library/index-state.ts'
import {
  DOCUMENT_COLUMNS,
  FOLDER_OF_ITEM_COLUMNS,
  makeIsBelow,
  toFolderOfFound,
  toSummary,
} from '../../library/listing.ts'
import type { Database } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { escapeLike, foldName } from '../../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey, UsedThingKey } from '../../platform/database/tables.ts'
import { foldScript } from './reading/scripts.ts'

/** The part of the library that is searched. */
export interface UseScope {
  team: TeamKey
  /** Limits the search to documents in this folder, at any depth. */
  folder?: FolderKey | undefined
}

export interface FoundUses {
  use?: { name: string; detail: string }
  versions: { version: string; documents: number; nodes: number }[]
  documents: number
  nodes: number
  /** The most recently changed ones, at most `USES_LIMIT`. */
  usedBy: UsingDocument[]
}

/** All SQL that answers which documents use something. Documents in the bin are never among them. */
export interface FindUsesStore {
  readIndexState(team: TeamKey): Promise<IndexState>
  suggest(scope: UseScope, text: string): Promise<{ suggestions: SuggestedUse[]; truncated: boolean }>
  find(scope: UseScope, reference: UseReference): Promise<FoundUses>
  /**
   * The keys in the index that a model or library item of the team stands for; empty when there is no such file, undefined
   * for other references.
   */
  listKeys(team: TeamKey, reference: UseReference): Promise<string[] | undefined>
  /** Finds the digest of the file that a document was imported from; undefined when it is in the bin or deleted. */
  findSource(document: DocumentKey): Promise<{ source: string | null } | undefined>
}

/** The kinds that are found by their names. */
const NAMED = [
  'component',
  'plugin',
  'cluster',
  'library',
  'language',
  'revit',
] as const satisfies readonly UseKind[]
/** The things that match a text and whose documents are counted, best first. */
const MAX_CANDIDATES = 60
const MAX_WORDS = 8
/** Models that match a text; each is counted with a query of its own. */
const MAX_MODELS = 5

export function createFindUsesStore({ read }: Pick<Database, 'read'>): FindUsesStore {
  const things = (team: TeamKey) => read.selectFrom('used_thing').where('used_thing.team_id', '=', team)

  /** The documents of a scope that are not in the bin. */
  async function documentsIn({ team, folder }: UseScope) {
    const documents = read
      .selectFrom('document')
      .where('document.team_id', '=', team)
      .where('document.bin_id', 'is', null)
    if (folder === undefined) return documents
    const isBelow = await makeIsBelow(read, folder)
    return documents.where(isBelow('document.folder_id'))
  }

  async function countDocuments(scope: UseScope, ids: readonly UsedThingKey[]) {
    if (ids.length === 0) return new Map<UsedThingKey, Count>()
    const rows = await (await documentsIn(scope))
      .innerJoin('document_use', 'document_use.document_id', 'document.id')
      .where('document_use.thing_id', 'in', ids)
      .groupBy('document_use.thing_id')
      .select(({ fn }) => [
        'document_use.thing_id as id',
        fn.countAll<number | string>().as('documents'),
        sql<number | string>`sum(document_use.nodes + document_use.nested)`.as('nodes'),
      ])
      .execute()
    return new Map(
      rows.map(({ id, documents, nodes }) => [id, { documents: Number(documents), nodes: Number(nodes) }]),
    )
  }

  async function listCandidates(team: TeamKey, text: string) {
    const folded = foldName(text)
    const words = folded
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS)
    let query = things(team).where('version', '=', '')
    if (words.length === 0) query = query.where('kind', '=', 'plugin')
    else {
      query = query.where(({ eb, or, and }) =>
        or([
          and([
            eb('kind', 'in', NAMED),
            ...words.map((word) => sql<SqlBool>`words_folded like ${`%${escapeLike(word)}%`} escape '\\'`),
          ]),
          and([eb('kind', 'in', [...NAMED, 'object']), eb('key', '=', text.trim().toLowerCase())]),
        ]),
      )
    }
    const whole = escapeLike(folded.trim())
    const rank = sql<number>`case
      when words_folded like ${`${whole}\n%`} escape '\\' then 0
      when words_folded like ${`${whole}%`} escape '\\' then 1
      when words_folded like ${`% ${whole}%`} escape '\\' then 2 else 3 end`
    return query
      .select(['id', 'kind', 'key', 'name', 'detail', rank.as('rank')])
      .orderBy(rank)
      .orderBy(sql`length(name)`)
      .orderBy('key')
      .limit(MAX_CANDIDATES)
      .execute()
  }

  async function suggestModels(scope: UseScope, text: string): Promise<SuggestedUse[]> {
    const folded = foldName(text.trim())
    if (folded === '') return []
    const files = await read
      .selectFrom('team_file')
      .where('team_id', '=', scope.team)
      .where('kind', '=', 'model')
      .where('bin_id', 'is', null)
      .where(sql<SqlBool>`name_folded like ${`%${escapeLike(folded)}%`} escape '\\'`)
      .select(['public_id as id', 'name'])
      .orderBy(sql`length(name)`)
      .orderBy('public_id')
      .limit(MAX_MODELS)
      .execute()
    const found: SuggestedUse[] = []
    for (const { id, name } of files) {
      const using = await listUsing(scope, await listThings(scope.team, { kind: 'model', key: id }))
      found.push({ kind: 'model', key: id, name, detail: 'Model', ...sumOf(using) })
    }
    return found
  }

  /** The things that a reference stands for. */
  async function listThings(
    team: TeamKey,
    { kind, key, version = '' }: UseReference,
  ): Promise<UsedThingKey[]> {
    if (kind === 'script') return searchScripts(team, key)
    if (kind === 'model') {
      const rows = await things(team)
        .innerJoin('model_object', 'model_object.object_id', 'used_thing.key')
        .innerJoin('team_file', 'team_file.id', 'model_object.file_id')
        .where('used_thing.kind', '=', 'object')
        .where('team_file.team_id', '=', team)
        .where('team_file.public_id', '=', key as TeamFileId)
        .where('team_file.bin_id', 'is', null)
        .select('used_thing.id')
        .execute()
      return rows.map(({ id }) => id)
    }
    if (kind === 'item') {
      const origins = await listOrigins(team, key)
      if (origins.length === 0) return []
      const rows = await things(team)
        .where('kind', '=', 'origin')
        .where('key', 'in', origins)
        .select('id')
        .execute()
      return rows.map(({ id }) => id)
    }
    const row = await things(team)
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('version', '=', version)
      .select('id')
      .executeTakeFirst()
    return row ? [row.id] : []
  }

  const findFile = (team: TeamKey, id: string) =>
    read
      .selectFrom('team_file')
      .where('team_id', '=', team)
      .where('public_id', '=', id as TeamFileId)
      .where('bin_id', 'is', null)
      .select(['name', 'facts'])
      .executeTakeFirst()

  /** What nodes say that were placed from a library item. */
  async function listOrigins(team: TeamKey, id: string): Promise<string[]> {
    const file = await findFile(team, id)
    return file ? listFileOrigins(file.name, JSON.parse(file.facts)) : []
  }

  /** Reads the scripts of a team a portion at a time, so that a large library does not hold up other requests. */
  async function searchScripts(team: TeamKey, text: string): Promise<UsedThingKey[]> {
    const pattern = `%${escapeLike(foldScript(text))}%`
    const found: UsedThingKey[] = []
    for (let after = 0 as UsedThingKey; ; ) {
      const rows = await things(team)
        .where('kind', '=', 'script')
        .where('id', '>', after)
        .orderBy('id')
        .limit(SCRIPTS_AT_ONCE)
        .select(['id', sql<SqlBool>`script like ${pattern} escape '\\'`.as('isFound')])
        .execute()
      for (const { id, isFound } of rows) if (isFound) found.push(id)
      if (rows.length < SCRIPTS_AT_ONCE) return found
      after = rows.at(-1)!.id
      await new Promise(setImmediate)
    }
  }

  /** The documents of a scope that use any of these things, in no order. */
  async function listUsing(scope: UseScope, ids: readonly UsedThingKey[]): Promise<Using[]> {
    const byDocument = new Map<DocumentKey, Using>()
    for (const batch of inBatches(ids)) {
      const rows = await (await documentsIn(scope))
        .innerJoin('document_use', 'document_use.document_id', 'document.id')
        .where('document_use.thing_id', 'in', batch)
        .groupBy(['document.id', 'document.updated_at', 'document.public_id'])
        .select([
          'document.id as key',
          'document.updated_at as updatedAt',
          'document.public_id as id',
          sql<number | string>`sum(document_use.nodes)`.as('nodes'),
          sql<number | string>`sum(document_use.nested)`.as('nested'),
        ])
        .execute()
      for (const row of rows) {
        const known = byDocument.get(row.key)
        const [nodes, nested] = [
          Number(row.nodes) + (known?.nodes ?? 0),
          Number(row.nested) + (known?.nested ?? 0),
        ]
        byDocument.set(row.key, { ...row, nodes, nested })
      }
    }
    return [...byDocument.values()]
  }

  /** Reads documents, the newest first, as in a search by name. */
  async function readDocuments(using: readonly Using[]): Promise<UsingDocument[]> {
    const newest = using
      .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
      .slice(0, USES_LIMIT)
    if (newest.length === 0) return []
    const rows = await read
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where(
        'document.id',
        'in',
        newest.map(({ key }) => key),
      )
      .select(['document.id as key', ...DOCUMENT_COLUMNS, ...FOLDER_OF_ITEM_COLUMNS])
      .execute()
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return newest.flatMap(({ key, nodes, nested }) => {
      const row = byKey.get(key)
      return row ? [{ ...toSummary(row), ...toFolderOfFound(row), nodes, nested }] : []
    })
  }

  async function describe(team: TeamKey, { kind, key }: UseReference): Promise<FoundUses['use']> {
    if (kind === 'script') return { name: key, detail: '' }
    if (kind === 'model' || kind === 'item') {
      const file = await findFile(team, key)
      return file && { name: file.name, detail: kind === 'model' ? 'Model' : 'By its name' }
    }
    const thing = await things(team)
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('version', '=', '')
      .select(['name', 'detail'])
      .executeTakeFirst()
    const standard = kind === 'component' ? findComponentName(key) : undefined
    return thing ?? (standard === undefined ? undefined : { name: standard, detail: '' })
  }

  async function listVersions(scope: UseScope, key: string): Promise<FoundUses['versions']> {
    const rows = await things(scope.team)
      .where('kind', '=', 'plugin')
      .where('key', '=', key)
      .where('version', '<>', '')
      .select(['id', 'version'])
      .execute()
    const counts = await countDocuments(
      scope,
      rows.map(({ id }) => id),
    )
    return rows
      .flatMap(({ id, version }) => {
        const count = counts.get(id)
        return count ? [{ version, ...count }] : []
      })
      .sort((a, b) => b.documents - a.documents || compareVersions(b.version, a.version))
  }

  return {
    readIndexState: (team) => readIndexState(read, sql<SqlBool>`document.team_id = ${team}`),

    async suggest(scope, text) {
      const candidates = await listCandidates(scope.team, text.slice(0, MAX_TEXT))
      const counts = await countDocuments(
        scope,
        candidates.map(({ id }) => id),
      )
      const found = candidates
        .flatMap(({ id, kind, rank, ...thing }) => {
          const count = counts.get(id)
          return count ? [{ rank, use: { kind: kind as UseKind, ...thing, ...count } }] : []
        })
        .sort((a, b) => a.rank - b.rank || b.use.documents - a.use.documents)
        .map(({ use }) => use)
      const models = await suggestModels(scope, text.slice(0, MAX_TEXT))
      const suggestions = [...found.slice(0, SUGGESTIONS_LIMIT - models.length), ...models]
      const truncated =
        candidates.length === MAX_CANDIDATES || found.length + models.length > suggestions.length
      return { suggestions, truncated }
    },

    async find(scope, reference) {
      const use = await describe(scope.team, reference)
      const using = await listUsing(scope, await listThings(scope.team, reference))
      return {
        ...(use && { use }),
        versions: reference.kind === 'plugin' ? await listVersions(scope, reference.key) : [],
        ...sumOf(using),
        usedBy: await readDocuments(using),
      }
    },

    async listKeys(team, { kind, key }) {
      if (kind === 'item') return listOrigins(team, key)
      if (kind !== 'model') return undefined
      const rows = await read
        .selectFrom('model_object')
        .innerJoin('team_file', 'team_file.id', 'model_object.file_id')
        .where('team_file.team_id', '=', team)
        .where('team_file.public_id', '=', key as TeamFileId)
        .where('team_file.bin_id', 'is', null)
        .select('object_id')
        .execute()
      return rows.map(({ object_id }) => object_id)
    },

    findSource: (document) =>
      read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select('source_blob as source')
        .executeTakeFirst(),
  }
}

interface Count {
  documents: number
  nodes: number
}

/** A document that uses something. */
interface Using {
  key: DocumentKey
  id: string
  updatedAt: number
  nodes: number
  nested: number
}

const SCRIPTS_AT_ONCE = 200
/** The maximum length of a text: longer ones match no name. */
const MAX_TEXT = 300

const sumOf = (using: readonly Using[]): Count => ({
  documents: using.length,
  nodes: using.reduce((sum, { nodes, nested }) => sum + nodes + nested, 0),
})

/** Sorts `2.10` after `2.9`. */
export const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
