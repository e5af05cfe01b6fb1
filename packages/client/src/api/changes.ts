import { endpointPath } from './endpoint-path.ts'
import { MeadowError, OutOfReach } from './errors.ts'
import { NotFound, NotSolved, SolveFailed, Solving } from './generated/errors.ts'
import type { DocumentSummary, Folder } from './generated/types.ts'
import type { Meadow } from './meadow.ts'
import { readReach } from './reach.ts'
import { parseJson, readError, type Transport, toBadAnswer } from './transport.ts'
import { pathOf, type WalkOptions, walk } from './walk.ts'

/** A document, and the folder that it is in. */
export interface LocatedDocument extends DocumentSummary {
  folderId: string
  /** The names of its folders from below the root folder. */
  path: string[]
}

/**
 * A change of a document. A document to which several things happened has several changes.
 * - `changed`: its content, name or visibility, so that a renamed one is `changed` too.
 * - `moved`: it is in another folder, or a folder above it was renamed or moved.
 * - `solved`, `failed`: it has another solution, or its most recent solve failed. With `solutions: true` only.
 * - `gone`: it was deleted, or has left the folder that is looked at, or the folders that the token is limited to.
 */
export type Change =
  | { type: 'new' | 'solved' | 'failed'; document: LocatedDocument }
  | { type: 'changed' | 'renamed' | 'moved'; document: LocatedDocument; previous: LocatedDocument }
  | { type: 'gone'; previous: LocatedDocument }

interface SeenFolder {
  tag: string
  folder: Folder
}

/** What was seen of a team, as JSON, to be kept for the next time. Its form may change with the version. */
export interface TeamState {
  version: 1
  folderId: string
  /** The folders by id, with their entity tags. */
  folders: Record<string, SeenFolder>
  /** The entity tag of each document's solution, or `failed`, by document id. */
  solutions: Record<string, string>
  /** Documents that were in none of the folders though they exist, or in two: they were being moved. As reported. */
  unplaced: LocatedDocument[]
}

export interface ChangesOptions extends WalkOptions {
  /** Whether to ask for the solution of each document too: one request for each. */
  solutions?: boolean | undefined
  /**
   * Whether documents are `gone` when a token limited to folders reads nothing of the folder that they were in. Unless it
   * is true, the iteration throws `OutOfReach`, since they may still exist.
   */
  allowNarrower?: boolean | undefined
}

export interface Changes extends AsyncIterable<Change> {
  /** The state to begin with next time. Throws until all changes have been read. */
  readonly state: TeamState
}

/**
 * Iterates over the changes since a state. Each folder costs one conditional request, and folders in which nothing has
 * changed send nothing; documents of the others are compared by their times, names and places.
 */
export function readChanges(
  meadow: Meadow,
  { send, addressOf }: Pick<Transport, 'send' | 'addressOf'>,
  state: TeamState | undefined,
  { solutions = false, allowNarrower = false, ...walkOptions }: ChangesOptions,
): Changes {
  const { folderId = 'root', concurrency = 8, ...options } = walkOptions
  if (state && (state.version !== 1 || state.folderId !== folderId))
    throw new MeadowError('This state is of another folder or version: begin without one.')
  const next: TeamState = { version: 1, folderId, folders: {}, solutions: {}, unplaced: [] }
  /** What was read of each folder, and which answer that was: the first, the second … */
  const readings = new Map<Folder, { found: SeenFolder; turn: number }>()
  let isRead = false

  async function readFolder(id: string): Promise<Folder> {
    const known = findFolder(state, id)
    const condition = known && { headers: { 'if-none-match': known.tag } }
    const path = endpointPath('readFolder', id)
    const found = await send(path, { ...options, ...condition }, async (response) => {
      if (response.status === 304 && known) return known
      const address = addressOf(path).href
      if (response.status !== 200) throw await readError(response, address)
      const { folder } = (parseJson(await response.text()) ?? {}) as { folder?: Folder }
      if (!folder) throw toBadAnswer(address)
      return { tag: response.headers.get('etag') ?? '', folder }
    })
    readings.set(found.folder, { found, turn: readings.size })
    return found.folder
  }

  /** The state contains exactly what was reported, so that anything missing from it is reported the next time. */
  async function* compare(): AsyncGenerator<Change, void, undefined> {
    const known = listDocuments(state)
    /** The turn of the answer that counts for each document, by its id. */
    const seen = new Map<string, number>()
    const seenTwice = new Set<string>()
    for await (const { folder, path } of walk({ readFolder }, walkOptions)) {
      const { found, turn } = readings.get(folder)!
      next.folders[folder.id] = found
      for (const summary of folder.documents) {
        const document = { ...summary, folderId: folder.id, path }
        const before = seen.get(document.id)
        if (before !== undefined) seenTwice.add(document.id)
        // It was moved from a folder that was read before to one that was read after that.
        if (before !== undefined && before > turn) continue
        yield* compareDocument(known.get(document.id), document)
        known.set(document.id, document)
        seen.set(document.id, turn)
      }
    }
    for (const id of seenTwice) next.unplaced.push(known.get(id)!)
    const missing = [...known.values()].filter(({ id }) => !seen.has(id))
    if (!allowNarrower) await refuseNarrower(missing)
    for await (const gone of mapAhead(missing, concurrency, findGone)) {
      if (!gone) continue
      known.delete(gone.previous.id)
      yield gone
    }
    for (const id of known.keys()) {
      const tag = state?.solutions[id]
      if (tag !== undefined) next.solutions[id] = tag
    }
    const solved = [...known.values()].filter(({ id }) => solutions && seen.has(id))
    for await (const change of mapAhead(solved, concurrency, compareSolution)) if (change) yield change
    isRead = true
  }

  /**
   * A token limited to folders sees these in the root, and no documents. When one that was there is in none of the folders
   * now, the state is of a token that reads more, or the folder has left the token; whether its documents exist is unknown.
   */
  async function refuseNarrower(missing: readonly LocatedDocument[]): Promise<void> {
    const isReadFromRoot = Object.values(next.folders).some(({ folder }) => folder.parentId === null)
    const outside = isReadFromRoot ? missing.filter(({ folderId: id }) => !isWithinReach(id)) : []
    const [first] = outside
    if (first && (await readReach({ send, addressOf }, options)) === 'folders')
      throw new OutOfReach(outside.length, [...first.path, first.name].join('/'))
  }

  /** Whether the topmost folder that contained this one is still read. */
  function isWithinReach(id: string): boolean {
    const folder = state && Object.hasOwn(state.folders, id) ? state.folders[id]!.folder : undefined
    if (!folder || folder.parentId === null) return false
    return Object.hasOwn(next.folders, folder.path[1]?.id ?? folder.id)
  }

  /** A document that is in no folder any more is gone, or was moved while the folders were being read. */
  async function findGone(previous: LocatedDocument): Promise<(Change & { type: 'gone' }) | undefined> {
    const { id, name } = previous
    const path = endpointPath('readDocument', id)
    const exists = await send(path, { ...options, method: 'HEAD' }, async (response) => {
      if (response.status === 200) return true
      const error = await readError(response, addressOf(path).href)
      if (error instanceof NotFound) return false
      throw error
    })
    const isThere =
      exists &&
      (folderId === 'root' ||
        (await meadow.searchDocuments({ ...options, q: name, folderId })).documents.some(
          (found) => found.id === id,
        ))
    if (!isThere) return { type: 'gone', previous }
    next.unplaced.push(previous)
    return undefined
  }

  async function compareSolution(document: LocatedDocument): Promise<Change | undefined> {
    const path = endpointPath('readSolution', document.id)
    // Each encoding has a tag of its own: this one is the same for every program.
    const headers = { 'accept-encoding': 'identity' }
    const before = state?.solutions[document.id]
    const now = await send(path, { ...options, headers, method: 'HEAD' }, async (response) => {
      if (response.status === 200) return response.headers.get('etag') ?? before
      const error = await readError(response, addressOf(path).href)
      if (error instanceof SolveFailed) return 'failed'
      // Until the document is solved again, its last known state counts.
      if (error instanceof Solving || error instanceof NotSolved || error instanceof NotFound) return before
      throw error
    })
    if (now !== undefined) next.solutions[document.id] = now
    return now === before ? undefined : { type: now === 'failed' ? 'failed' : 'solved', document }
  }

  return {
    [Symbol.asyncIterator]: compare,
    get state() {
      if (!isRead) throw new MeadowError('The state is complete when all changes have been read.')
      return next
    },
  }
}

function findFolder(state: TeamState | undefined, id: string) {
  if (!state) return undefined
  if (id !== 'root') return Object.hasOwn(state.folders, id) ? state.folders[id] : undefined
  return Object.values(state.folders).find(({ folder }) => folder.parentId === null)
}

/** Returns the documents of a state by id, as they were reported. */
function listDocuments(state: TeamState | undefined): Map<string, LocatedDocument> {
  const documents = new Map<string, LocatedDocument>()
  for (const { folder } of Object.values(state?.folders ?? {})) {
    const path = pathOf(folder)
    for (const summary of folder.documents)
      documents.set(summary.id, { ...summary, folderId: folder.id, path })
  }
  for (const document of state?.unplaced ?? []) documents.set(document.id, document)
  return documents
}

function* compareDocument(
  previous: LocatedDocument | undefined,
  document: LocatedDocument,
): Generator<Change, void, undefined> {
  if (!previous) return yield { type: 'new', document }
  const isMoved =
    previous.folderId !== document.folderId || JSON.stringify(previous.path) !== JSON.stringify(document.path)
  if (isMoved) yield { type: 'moved', document, previous }
  if (previous.name !== document.name) yield { type: 'renamed', document, previous }
  if (previous.updatedAt !== document.updatedAt || previous.visibility !== document.visibility)
    yield { type: 'changed', document, previous }
}

/** Yields the results for all items, in their order, and works on up to `concurrency` of them at once. */
async function* mapAhead<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const started: Promise<Result>[] = []
  for (const item of items) {
    const result = map(item)
    // Whoever waits for the result gets its failure. Without this, the failure would be an unhandled rejection until
    // then.
    result.catch(() => {})
    started.push(result)
    if (started.length >= concurrency) yield await started.shift()!
  }
  for (const result of started) yield await result
}
