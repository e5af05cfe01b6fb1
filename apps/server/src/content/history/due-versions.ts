import type { VersionKind } from '@meadow/contract/web/terms'
import * as Y from 'yjs'
import type { Select } from '../../platform/database/database.ts'
import type { DocumentKey, SnapshotFormat } from '../../platform/database/tables.ts'
import { type HistoryWork, MANY_NODES } from './history-work.ts'
import { findNewest, type NewVersion } from './versions.store.ts'

/** Editing that pauses for this long leaves a version, and editing that goes on for longer than the other one does too. */
const PAUSE_MS = 2 * 60 * 1000
const INTERVAL_MS = 10 * 60 * 1000
/** This many changes leave a version too: the log has all changes since the newest one, and has to stay short. */
const MAX_CHANGES = 1000

/** What a larger change removes is not counted: it leaves a version of what was there before it. */
const MAX_COUNTED_BYTES = 100_000
/** A node is two entries at least: itself, and its creation record. */
const ENTRIES_OF_MANY = 2 * MANY_NODES

/** A position in the log of a document, from its stored content on. */
interface Position {
  seq: number
  at: number
  kind: VersionKind
  /** True for the import of a file: what was there before may have gone altogether. */
  isReplacement: boolean
  /** The update; undefined for the stored content. */
  change?: Uint8Array
}

/** What a document is now and what of its log is not part of the stored content. */
type StoredLog = NonNullable<Awaited<ReturnType<typeof readLog>>>

/**
 * The versions that are to be kept before the log of a document is shortened, the oldest first: what was there before a
 * pause, before much was removed, before and after an import, and the content of a document that has no version yet. With
 * `headKind` also the document as it is now. Everything follows from what is stored, so that nothing depends on which
 * process edited, or whether it was killed.
 */
export async function listDueVersions(
  select: Select,
  work: Pick<HistoryWork, 'project'>,
  document: DocumentKey,
  headKind?: VersionKind,
): Promise<NewVersion[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const log = await readLog(select, document)
    if (!log) return []
    const due = listDue(log, headKind)
    if (due.length === 0) return []
    const versions = await readVersions(select, work, document, log, due)
    if (versions) return versions
  }
  throw new Error(`The log of document ${document} was shortened again and again while it was read.`)
}

/** Another process may shorten the log between two reads, but hardly so often. */
const MAX_ATTEMPTS = 5

async function readLog(select: Select, document: DocumentKey) {
  const stored = await select
    .selectFrom('document')
    .innerJoin('document_snapshot as stored', (join) =>
      join.onRef('stored.document_id', '=', 'document.id').on('stored.format', '=', 'json'),
    )
    .leftJoin('document_change as change', (join) =>
      join.onRef('change.document_id', '=', 'document.id').onRef('change.seq', '=', 'stored.seq'),
    )
    .where('document.id', '=', document)
    .select([
      'document.created_at as createdAt',
      'document.updated_at as updatedAt',
      'document.seq as head',
      'document.source_seq as sourceSeq',
      'document.team_id as team',
      'stored.seq',
      'stored.at',
      'stored.author_kind as authorKind',
      'stored.user_id as authorId',
      'change.at as changedAt',
      'change.author_kind as changedBy',
    ])
    .executeTakeFirst()
  if (!stored) return undefined
  const newest = await findNewest(select, document)
  const changes = await select
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .where('seq', '>', stored.seq)
    .orderBy('seq')
    .select(['seq', 'at', 'author_kind as authorKind', 'change'])
    .execute()
  const firstUnkept = await select
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .where('seq', '>', newest?.seq ?? 0)
    .orderBy('seq')
    .limit(1)
    .select('at')
    .executeTakeFirst()
  return { stored, newest, changes, since: firstUnkept?.at }
}

function toPositions({ stored, changes }: StoredLog): Position[] {
  const { seq, sourceSeq, authorKind, changedAt, changedBy, createdAt, updatedAt, head } = stored
  const isImported = sourceSeq === seq || authorKind === 'import' || changedBy === 'import'
  const created = seq === 1 ? ('created' as const) : ('pause' as const)
  const untouched = head === seq ? updatedAt : createdAt
  const first: Position = {
    seq,
    at: stored.at ?? changedAt ?? untouched,
    kind: isImported ? 'import' : created,
    isReplacement: false,
  }
  return [
    first,
    ...changes.map(({ authorKind, ...change }) => ({
      ...change,
      kind: authorKind === 'import' ? ('import' as const) : ('pause' as const),
      isReplacement: authorKind === 'import',
    })),
  ]
}

/** A position of which a version is due, perhaps only if the change after it removes much. */
interface DuePosition extends Position {
  ifRemoved: boolean
}

function listDue(log: StoredLog, headKind: VersionKind | undefined): DuePosition[] {
  const { stored, newest } = log
  const positions = toPositions(log)
  const isNew = ({ seq }: Position) => seq > (newest?.seq ?? 0)
  const hasRow = stored.changedAt !== null
  let { since } = log
  let keptSeq = newest?.seq ?? 0
  const due: DuePosition[] = []
  for (const [at, position] of positions.entries()) {
    const next = positions[at + 1]
    if (!next) break
    if (!isNew(position)) continue
    const isDue =
      (at === 0 && (!hasRow || newest === undefined)) ||
      position.kind === 'import' ||
      next.isReplacement ||
      next.at - position.at >= PAUSE_MS ||
      next.at - (since ?? next.at) >= INTERVAL_MS ||
      next.seq - keptSeq > MAX_CHANGES ||
      next.change!.length > MAX_COUNTED_BYTES
    if (!isDue && countRemoved(next.change!) < ENTRIES_OF_MANY) continue
    const kind = next.kind === 'import' && position.kind !== 'created' ? 'import' : position.kind
    due.push({ ...position, kind, ifRemoved: !isDue })
    if (!isDue) continue
    since = next.at
    keptSeq = position.seq
  }
  const last = positions.at(-1)!
  if (headKind !== undefined && isNew(last)) {
    due.push({ ...last, kind: last.kind === 'pause' ? headKind : last.kind, ifRemoved: false })
  }
  return due
}

/** How many more entries a change removes than it adds: of what it moves or edits, it replaces one by another. */
function countRemoved(change: Uint8Array): number {
  // An update ends with the list of what it removes, and an empty list is a zero, which nothing else ends with.
  if (change.at(-1) === 0) return 0
  const { structs, ds } = Y.decodeUpdate(change)
  const removed = [...ds.clients.values()].flat().reduce((sum, { len }) => sum + len, 0)
  return removed - structs.length
}

/** Resolves with undefined when the log was shortened meanwhile. */
async function readVersions(
  select: Select,
  work: Pick<HistoryWork, 'project'>,
  document: DocumentKey,
  { stored, changes }: StoredLog,
  due: readonly DuePosition[],
): Promise<NewVersion[] | undefined> {
  const versions: NewVersion[] = []
  const [first] = due
  if (first!.seq === stored.seq && !first!.ifRemoved) {
    const json = await findContent(select, document, 'json', stored.seq)
    if (!json) return undefined
    const author = stored.authorKind && { kind: stored.authorKind, user: stored.authorId ?? undefined }
    versions.push({
      ...toVersion(document, first!),
      json: json.content ? { bytes: json.content } : { digest: json.blob! },
      ...(author && { author }),
    })
  }
  if (due.length === versions.length) return versions
  const state = await findContent(select, document, 'yjs', stored.seq)
  if (!state) return undefined
  const positions = due.slice(versions.length)
  const bySeq = new Map(positions.map((position) => [position.seq, position]))
  const request = {
    kind: 'project' as const,
    state: state.content!,
    seq: stored.seq,
    changes: changes.map(({ seq, change }) => ({ seq, change })),
    positions: positions.map(({ seq, ifRemoved }) => ({ seq, ifRemoved })),
  }
  for (const { seq, bytes } of await work.project(request, String(stored.team)))
    versions.push({ ...toVersion(document, bySeq.get(seq)!), json: { bytes } })
  return versions
}

const toVersion = (document: DocumentKey, { seq, at, kind }: Position) => ({ document, seq, at, kind })

const findContent = (select: Select, document: DocumentKey, format: SnapshotFormat, seq: number) =>
  select
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', format)
    .where('seq', '=', seq)
    .select(['content', 'blob'])
    .executeTakeFirst()
