import type { DocumentId } from '@meadow/contract'
import { sql } from 'kysely'
import { gradeOf, type SolveGrade, solveColumns, toSolveSummary } from '../../library/completeness.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { compareVersions } from './find-uses.store.ts'

/** A document of an audit. */
export interface AuditedDocument {
  id: DocumentId
  name: string
  /** The names of the folders that it is in, from below the root, with ` / ` between them; empty in the root. */
  folder: string
}

interface Counts {
  documents: number
  nodes: number
}

/** What the audit of a team's library finds. All lists have a stable order. */
export interface LibraryAudit {
  documents: {
    total: number
    /** The documents that the audit could not read at all; `partial` counts those that it read in part. */
    unread: number
    partial: number
  }
  /** The most used first. */
  plugins: (Counts & {
    id: string
    name: string
    isMixed: boolean
    versions: (Counts & { version: string })[]
  })[]
  /** What no solve can solve, by component and reason; the most frequent first. */
  unsolvable: (Counts & {
    component: string
    kind: string
    reason: string
    plugin: string | null
    version: string | null
  })[]
  /** How the last solves ended. */
  solves: Record<'never' | 'waiting' | SolveGrade | 'failed', number>
  failures: (AuditedDocument & { reason: string })[]
  /** Groups of documents that compute the same; the largest first. */
  duplicates: { nodes: number; isSameFile: boolean; documents: AuditedDocument[] }[]
  /** Documents that were neither changed nor solved for as long as was asked; the oldest first. */
  stale: (AuditedDocument & { changedAt: string; solvedAt: string | null })[]
  /** Documents that name objects of Rhino models which no model of the team has. */
  missingModels: (AuditedDocument & { objects: number; missing: number })[]
  gaps: (AuditedDocument & { reason: string; isRead: boolean })[]
}

/** All SQL of the audit, over an index that is up to date. Its memory grows with what it finds, not with the documents. */
export async function auditLibrary(
  { read }: Pick<Database, 'read'>,
  team: TeamKey,
  { unchangedSince }: { unchangedSince: number },
): Promise<LibraryAudit> {
  const folders = await readFolderPaths(read, team)
  const documents = read
    .selectFrom('document')
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
  const described = documents.select([
    'document.public_id as id',
    'document.name as name',
    'document.folder_id as folderKey',
  ])
  const describe = ({ id, name, folderKey }: { id: DocumentId; name: string; folderKey: FolderKey }) => ({
    id,
    name,
    folder: folders.get(folderKey) ?? '',
  })
  const counted = documents
    .innerJoin('document_use', 'document_use.document_id', 'document.id')
    .innerJoin('used_thing', 'used_thing.id', 'document_use.thing_id')

  async function listThings(kind: string) {
    const rows = await counted
      .where('used_thing.kind', '=', kind)
      .groupBy([
        'used_thing.id',
        'used_thing.key',
        'used_thing.version',
        'used_thing.name',
        'used_thing.detail',
      ])
      .select(({ fn }) => [
        'used_thing.key',
        'used_thing.version',
        'used_thing.name',
        'used_thing.detail',
        fn.countAll<number | string>().as('documents'),
        sql<number | string>`sum(document_use.nodes + document_use.nested)`.as('nodes'),
      ])
      .execute()
    return rows.map((row) => ({ ...row, documents: Number(row.documents), nodes: Number(row.nodes) }))
  }

  async function listPlugins(): Promise<LibraryAudit['plugins']> {
    const rows = await listThings('plugin')
    return rows
      .filter(({ version }) => version === '')
      .map(({ key, name, documents, nodes }) => {
        const versions = rows
          .filter((row) => row.key === key && row.version !== '')
          .map(({ version, documents, nodes }) => ({ version, documents, nodes }))
          .sort((a, b) => compareVersions(b.version, a.version))
        return { id: key, name, documents, nodes, isMixed: versions.length > 1, versions }
      })
      .sort((a, b) => b.documents - a.documents || compareText(a.name, b.name) || compareText(a.id, b.id))
  }

  async function listUnsolvable(): Promise<LibraryAudit['unsolvable']> {
    const rows = await listThings('unsolvable')
    return rows
      .map(({ name, detail, documents, nodes }) => {
        const { kind, reason, library } = JSON.parse(detail)
        const plugin: string | null = library?.name ?? null
        return { component: name, kind, reason, plugin, version: library?.version ?? null, documents, nodes }
      })
      .sort(
        (a, b) =>
          b.documents - a.documents ||
          b.nodes - a.nodes ||
          compareText(a.component, b.component) ||
          compareText(`${a.reason} ${a.version}`, `${b.reason} ${b.version}`),
      )
  }

  async function readSolves(): Promise<Pick<LibraryAudit, 'solves' | 'failures'>> {
    const solves = { never: 0, waiting: 0, complete: 0, valuesComplete: 0, partial: 0, failed: 0 }
    const failures: LibraryAudit['failures'] = []
    const reason = sql<
      string | null
    >`(select reason from solve where document_id = document.id order by id desc limit 1)`
    for (const row of await described.select([...solveColumns, reason.as('reason')]).execute()) {
      const { solve, completeness } = toSolveSummary(row)
      if (solve === 'never') solves.never++
      else if (solve === 'failed') {
        solves.failed++
        failures.push({ ...describe(row), reason: row.reason ?? '' })
      } else if (solve !== 'solved') solves.waiting++
      else solves[completeness ? gradeOf(completeness) : 'partial']++
    }
    return { solves, failures: failures.sort(byPlace) }
  }

  async function listDuplicates(): Promise<LibraryAudit['duplicates']> {
    const repeated = documents
      .innerJoin('document_graph', 'document_graph.document_id', 'document.id')
      .where('graph_hash', 'is not', null)
      .groupBy('graph_hash')
      .having(({ fn }) => fn.countAll(), '>', 1)
      .select('graph_hash')
    const rows = await described
      .innerJoin('document_graph', 'document_graph.document_id', 'document.id')
      .where('graph_hash', 'in', repeated)
      .select(['graph_hash as hash', 'document_graph.nodes', 'source_sha256 as file'])
      .execute()
    return [...Map.groupBy(rows, ({ hash }) => hash).values()]
      .map((group) => ({
        nodes: group[0]!.nodes,
        isSameFile: group[0]!.file !== null && group.every(({ file }) => file === group[0]!.file),
        documents: group.map(describe).sort(byPlace),
      }))
      .sort(
        (a, b) =>
          b.documents.length - a.documents.length ||
          b.nodes - a.nodes ||
          byPlace(a.documents[0]!, b.documents[0]!),
      )
  }

  async function listStale(): Promise<LibraryAudit['stale']> {
    // The time of the file counts until the document is edited here.
    const changedAt = sql<number>`case when document.seq = document.source_seq
      then coalesce(document.source_modified, document.updated_at) else document.updated_at end`
    const solvedAt = sql<number | null>`(select max(ended_at) from solve where document_id = document.id)`
    const rows = await described
      .where(changedAt, '<', unchangedSince)
      .where(({ eb, or }) => or([eb(solvedAt, 'is', null), eb(solvedAt, '<', unchangedSince)]))
      .select([changedAt.as('changedAt'), solvedAt.as('solvedAt')])
      .execute()
    return rows
      .toSorted((a, b) => Number(a.changedAt) - Number(b.changedAt) || compareText(a.id, b.id))
      .map((row) => ({
        ...describe(row),
        changedAt: toTimestamp(Number(row.changedAt)),
        solvedAt: row.solvedAt === null ? null : toTimestamp(Number(row.solvedAt)),
      }))
  }

  async function listMissingModels(): Promise<LibraryAudit['missingModels']> {
    const known = sql<number | string>`sum(case when exists (
      select 1 from model_object join team_file on team_file.id = model_object.file_id
      where model_object.object_id = used_thing.key and team_file.team_id = ${team} and team_file.bin_id is null)
      then 1 else 0 end)`
    const rows = await counted
      .where('used_thing.kind', '=', 'object')
      .groupBy(['document.id', 'document.public_id', 'document.name', 'document.folder_id'])
      .select(({ fn }) => [
        'document.public_id as id',
        'document.name as name',
        'document.folder_id as folderKey',
        fn.countAll<number | string>().as('objects'),
        known.as('known'),
      ])
      .execute()
    return rows
      .map((row) => {
        const objects = Number(row.objects)
        return { ...describe(row), objects, missing: objects - Number(row.known) }
      })
      .filter(({ missing }) => missing > 0)
      .sort((a, b) => b.missing - a.missing || byPlace(a, b))
  }

  const gapRows = await described
    .innerJoin('document_graph', 'document_graph.document_id', 'document.id')
    .where('gap', 'is not', null)
    .select(['gap', 'is_read'])
    .execute()
  const gaps = gapRows
    .map((row) => ({ ...describe(row), reason: row.gap!, isRead: row.is_read === 1 }))
    .sort(byPlace)
  const { total } = await documents
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    documents: {
      total: Number(total),
      unread: gaps.filter(({ isRead }) => !isRead).length,
      partial: gaps.filter(({ isRead }) => isRead).length,
    },
    plugins: await listPlugins(),
    unsolvable: await listUnsolvable(),
    ...(await readSolves()),
    duplicates: await listDuplicates(),
    stale: await listStale(),
    missingModels: await listMissingModels(),
    gaps,
  }
}

/** The paths of all folders of a team, also of those in the bin. */
async function readFolderPaths(
  read: Database['read'],
  team: TeamKey,
): Promise<ReadonlyMap<FolderKey, string>> {
  const rows = await read
    .selectFrom('folder')
    .where('team_id', '=', team)
    .select(['id', 'name', 'parent_id as parent', 'path'])
    .execute()
  const paths = new Map<FolderKey, string>()
  // Each after its parent, whose path is shorter.
  for (const { id, name, parent } of rows.sort((a, b) => a.path.length - b.path.length)) {
    const above = parent === null ? '' : (paths.get(parent) ?? '')
    paths.set(id, parent === null ? '' : above === '' ? name : `${above} / ${name}`)
  }
  return paths
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byPlace = (a: AuditedDocument, b: AuditedDocument): number =>
  compareText(a.folder, b.folder) || compareText(a.name, b.name) || compareText(a.id, b.id)
