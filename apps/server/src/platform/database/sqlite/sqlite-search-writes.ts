import { CompiledQuery } from 'kysely'
import { listColumns } from '../columns.ts'
import type { Write } from '../database.ts'
import type { IndexChange, IndexedDocument } from '../search-index.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../tables.ts'
import { tokenText } from './sqlite-search-tokens.ts'

/**
 * A document's slot. Within a team, newer documents have higher slots, and of two with the same time the one with the
 * smaller id. A new document, or one that was changed, is the newest of its team and gets a slot after the others; one
 * that comes back from the bin gets a free slot between its neighbours.
 * The numbers of a team are close together, which keeps the lists of the index short: a fifth of what times would take.
 */
type Slot = bigint

/** The slots of a team begin with its key. */
const TEAM_BITS = 40n
/** The distance between two documents that are added one after the other. */
const STEP = 8n

/** Returns the number before the first slot of a team. */
const slotBefore = (team: TeamKey): Slot => BigInt(team) << TEAM_BITS

const lastSlot = (team: TeamKey): Slot => slotBefore((team + 1) as TeamKey) - 1n

/** What the index holds of a document. */
interface Entry {
  slot: Slot
  nameFolded: string
  /** The `path` of the folder that the document is in. */
  path: string
}

/** A document whose entry changes. */
interface Move {
  from?: Entry | undefined
  to?: Entry | undefined
}

/** Implements `SearchIndex.apply` on SQLite. */
export async function writeSearchIndex(write: Write, { remove, add }: IndexChange): Promise<void> {
  const moves = new Map<DocumentKey, Move>()
  for (const { id, publicId } of remove) {
    const from = await takeOut(write, id)
    if (!from) throw new Error(`The search index does not hold the document ${publicId}.`)
    moves.set(id, { from })
  }
  const newestOf = new Map<TeamKey, Neighbour | undefined>()
  const inOrder = add.toSorted((a, b) => (isNewer(a, b) ? 1 : -1))
  for (const [index, document] of inOrder.entries()) {
    const { id, team, nameFolded, folders } = document
    if (!newestOf.has(team)) newestOf.set(team, await readNewest(write, team))
    const newest = newestOf.get(team)
    const from = moves.get(id)?.from
    const isNewest = !newest || isNewer(document, newest)
    const slot = isNewest
      ? slotAfter(newest?.slot ?? slotBefore(team), from)
      : await findSlot(write, moves, inOrder.slice(index, index + MOST_AT_ONCE), newest)
    const to = { slot, nameFolded, path: folders.map((folder) => `${folder}/`).join('') }
    await insertSlot(write, id, to)
    moves.set(id, { from, to })
    if (isNewest) newestOf.set(team, { ...document, slot })
    // Making room may have moved the newest document.
    else newestOf.delete(team)
  }
  await writeTokens(write, [...moves.values()])
}

type Position = Pick<IndexedDocument, 'updatedAt' | 'publicId'>

/** A document that has its slot. */
interface Neighbour extends Position {
  slot: Slot
}

const isNewer = (a: Position, b: Position) =>
  a.updatedAt > b.updatedAt || (a.updatedAt === b.updatedAt && a.publicId < b.publicId)

/** Returns a slot after the last one. The newest document keeps its slot when it is changed. */
const slotAfter = (last: Slot, from: Entry | undefined) =>
  from && from.slot > last ? from.slot : last + STEP

/** Room is made for at most this number of documents together. */
const MOST_AT_ONCE = 1000

/**
 * Returns the slot of the first of these documents, which is not the newest one of its team. Where its neighbours leave
 * no room, room is made also for the documents that follow in the same place: a folder that comes back from the bin has
 * many of them.
 */
async function findSlot(
  write: Write,
  moves: Map<DocumentKey, Move>,
  documents: readonly IndexedDocument[],
  newest: Neighbour,
): Promise<Slot> {
  const document = documents[0]!
  const from = moves.get(document.id)?.from
  if (from && (await isBetweenNeighbours(write, document, from.slot))) return from.slot
  const { older, newer } = await findNeighbours(write, document, newest)
  const before = documents.filter((other) => other.team === document.team && isNewer(newer, other))
  const count = BigInt(before.length)
  const room = newer.slot - older
  if (room === 1n) await makeRoom(write, moves, newer.slot, older + count + 1n)
  const step = room / (count + 1n) || 1n
  return older + (step < STEP ? step : STEP)
}

/** Whether the document, which only moved to another folder, may stay in its slot, which is not the last one. */
async function isBetweenNeighbours(write: Write, document: IndexedDocument, slot: Slot): Promise<boolean> {
  const older = await readSlot(write, slotBefore(document.team), slot, 'desc')
  const newer = await readSlot(write, slot, lastSlot(document.team), 'asc')
  const isFree = older?.slot !== slot
  return isFree && (!older || isNewer(document, older)) && newer !== undefined && isNewer(newer, document)
}

/** Finds the slot below the place of a document in its team, and the document above, by binary search. */
async function findNeighbours(
  write: Write,
  document: IndexedDocument,
  newest: Neighbour,
): Promise<{ older: Slot; newer: Neighbour }> {
  let older = slotBefore(document.team)
  let newer = newest
  // Nothing is in the slots from `older` to `low`.
  for (let low = older; newer.slot - low > 1n; ) {
    const middle = (low + newer.slot) / 2n
    const found = await readSlot(write, low, middle, 'desc')
    if (found && isNewer(found, document)) newer = found
    else {
      if (found) older = found.slot
      low = middle
    }
  }
  return { older, newer }
}

const readNewest = (write: Write, team: TeamKey) => readSlot(write, slotBefore(team), lastSlot(team), 'desc')

/** Returns the first or last document with a slot after `after` and up to `upTo`. */
async function readSlot(
  write: Write,
  after: Slot,
  upTo: Slot,
  order: 'asc' | 'desc',
): Promise<Neighbour | undefined> {
  const { rows } = await run<Position & { slot: string }>(
    write,
    // The slot of a document that was deleted without the index stays taken.
    `select cast(slot as text) as slot, coalesce(updated_at, 0) as "updatedAt", coalesce(public_id, '') as "publicId"
      from search_slot left join document on document.id = search_slot.document_id
      where slot > ? and slot <= ? order by search_slot.slot ${order} limit 1`,
    [after, upTo],
  )
  return rows[0] && { ...rows[0], slot: BigInt(rows[0].slot) }
}

const SHIFTED_AT_ONCE = 100

/**
 * Frees the slots from `first` up to `end`: moves their documents, and those after them as far as needed, to higher
 * slots.
 */
async function makeRoom(write: Write, moves: Map<DocumentKey, Move>, first: Slot, end: Slot): Promise<void> {
  const shifted: { id: DocumentKey; from: Entry; to: Entry }[] = []
  for (let free = end, next = first; ; ) {
    const { rows } = await run<EntryRow>(
      write,
      `select cast(slot as text) as slot, document_id as id, name_folded as "nameFolded", path from search_slot
        where slot >= ? order by search_slot.slot limit ${SHIFTED_AT_ONCE}`,
      [next],
    )
    const entries = rows.map((row) => ({ id: row.id, from: readEntry(row) }))
    const stays = entries.findIndex(({ from }, index) => from.slot >= free + BigInt(index))
    for (const { id, from } of stays < 0 ? entries : entries.slice(0, stays)) {
      shifted.push({ id, from, to: { ...from, slot: free++ } })
      next = from.slot + 1n
    }
    if (stays >= 0 || rows.length < SHIFTED_AT_ONCE) break
  }
  // The last document moves first, since slots are unique.
  for (const { id, from, to } of shifted.reverse()) {
    await run(write, 'update search_slot set slot = ? where slot = ?', [to.slot, from.slot])
    const before = moves.get(id)
    moves.set(id, { from: before ? before.from : from, to })
  }
}

interface EntryRow {
  id: DocumentKey
  /** The slot as text, since slots have more than 53 bits. */
  slot: string
  nameFolded: string
  path: string
}

const readEntry = ({ slot, nameFolded, path }: EntryRow): Entry => ({ slot: BigInt(slot), nameFolded, path })

async function takeOut(write: Write, document: DocumentKey): Promise<Entry | undefined> {
  const { rows } = await run<EntryRow>(
    write,
    `delete from search_slot where document_id = ?
      returning cast(slot as text) as slot, document_id as id, name_folded as "nameFolded", path`,
    [document],
  )
  return rows[0] && readEntry(rows[0])
}

const insertSlot = (write: Write, document: DocumentKey, { slot, nameFolded, path }: Entry) =>
  run(write, 'insert into search_slot (slot, document_id, name_folded, path) values (?, ?, ?, ?)', [
    slot,
    document,
    nameFolded,
    path,
  ])

/**
 * Writes the tokens in ascending order of rowids, which takes one segment: FTS5 starts a new one whenever rowids do not
 * ascend.
 */
async function writeTokens(write: Write, moves: readonly Move[]): Promise<void> {
  const steps = moves.flatMap(({ from, to }) => {
    if (from && to && isSame(from, to)) return []
    return [...(from ? [{ ...from, isDelete: true }] : []), ...(to ? [{ ...to, isDelete: false }] : [])]
  })
  const inOrder = steps.sort(
    (a, b) => Number(a.slot > b.slot) - Number(a.slot < b.slot) || Number(b.isDelete) - Number(a.isDelete),
  )
  for (const { isDelete, ...entry } of inOrder) {
    // Deleting from a contentless table takes the indexed text.
    const statement = isDelete
      ? `insert into document_search (document_search, rowid, tokens) values ('delete', ?, ?)`
      : 'insert into document_search (rowid, tokens) values (?, ?)'
    await run(write, statement, [entry.slot, tokensOf(entry)])
  }
}

const isSame = (a: Entry, b: Entry) => a.slot === b.slot && a.nameFolded === b.nameFolded && a.path === b.path

const tokensOf = ({ slot, nameFolded, path }: Entry) =>
  tokenText({
    team: Number(slot >> TEAM_BITS) as TeamKey,
    nameFolded,
    folders: path.slice(0, -1).split('/').map(Number) as FolderKey[],
  })

const ENTRIES_AT_ONCE = 1000
/**
 * The number of bytes that FTS5 collects before it writes a segment. With the default, a rebuild would spend most of
 * its time on merging.
 */
const SEGMENT_BYTES = { rebuild: 2 ** 24, default: 2 ** 20 }

/** Implements `SearchIndex.rebuild` on SQLite: a million documents take one to two minutes. */
export async function rebuildSearchIndex(write: Write): Promise<void> {
  // An earlier version, as in an old backup, does not have these tables. The step that makes them fills them.
  if (!(await listColumns(write, 'sqlite', 'search_slot')).some(({ name }) => name === 'path')) return
  const setSegments = (bytes: number) =>
    run(write, `insert into document_search (document_search, rank) values ('hashsize', ${bytes})`, [])
  await run(write, `insert into document_search (document_search) values ('delete-all')`, [])
  await run(write, 'delete from search_slot', [])
  await run(
    write,
    `insert into search_slot (slot, document_id, name_folded, path)
      select (document.team_id << ${TEAM_BITS}) + ${STEP} * row_number() over (
          partition by document.team_id order by updated_at, document.public_id desc),
        document.id, name_folded, path
      from document join folder on folder.id = document.folder_id
      where document.bin_id is null order by 1`,
    [],
  )
  await setSegments(SEGMENT_BYTES.rebuild)
  for (let last = 0n; ; ) {
    const { rows } = await run<EntryRow>(
      write,
      `select cast(slot as text) as slot, document_id as id, name_folded as "nameFolded", path from search_slot
        where slot > ? order by search_slot.slot limit ${ENTRIES_AT_ONCE}`,
      [last],
    )
    const entries = rows.map(readEntry)
    if (entries.length === 0) break
    await writeTokens(
      write,
      entries.map((to) => ({ to })),
    )
    last = entries.at(-1)!.slot
  }
  await setSegments(SEGMENT_BYTES.default)
}

function run<Row>(write: Write, sql: string, parameters: unknown[]) {
  return write.executeQuery<Row>(CompiledQuery.raw(sql, parameters) as CompiledQuery<Row>)
}
