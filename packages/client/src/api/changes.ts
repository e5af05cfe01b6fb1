import { endpointPath } from './endpoint-path.ts'
import { MeadowError } from './errors.ts'
import { NotFound, NotSolved, SolveFailed, Solving } from './generated/errors.ts'
import type { DocumentSummary, Folder } from './generated/types.ts'
import type { Meadow } from './meadow.ts'
import { readError, type Transport } from './transport.ts'
import { pathOf, type WalkOptions, walk } from './walk.ts'

/** A document, and where it is. */
export interface LocatedDocument extends DocumentSummary {
  folderId: string
  /** The names of its folders from below the root folder. */
  path: string[]
}

/**
 * What has happened to a document. One to which several things happened has several changes.
 * - `changed`: its content, name or visibility, so that a renamed one is `changed` too.
 * - `moved`: it is in another folder, or a folder above it was renamed or moved.
 * - `solved`, `failed`: it has another solution, or its most recent solve failed. With `solutions: true` only.
 * - `gone`: it was deleted, or has left the folder that is looked at.
 */
export type Change =
  | { type: 'new' | 'solved' | 'failed'; document: LocatedDocument }
  | { type: 'changed' | 'renamed' | 'moved'; document: LocatedDocument; previous: LocatedDocument }
  | { type: 'gone'; previous: LocatedDocument }

/** What was seen of a team, as JSON, to be kept for the next time. What is in it may change with the version. */
export interface TeamState {
  version: 1
  folderId: string
  /** By id, with their entity tags. */
  folders: Record<string, { tag: string; folder: Folder }>
  /** By document id: the entity tag of its solution, or `failed`. */
  solutions: Record<string, string>
  /** Documents that were in none of the folders though they exist: they were being moved. */
  unplaced: LocatedDocument[]
}

export interface ChangesOptions extends WalkOptions {
  /** Whether to ask for the solution of each document too: one request for each. */
  solutions?: boolean | undefined
}

export interface Changes extends AsyncIterable<Change> {
  /** The state to begin with next time. Throws until all changes have been read. */
  readonly state: TeamState
}

/**
 * What has changed since a state. Each folder costs one conditional request, and folders in which nothing has changed
 * send nothing; documents of the others are compared by their times, names and places.
 */
export function readChanges(
  meadow: Meadow,
  { send }: Pick<Transport, 'send'>,
  state: TeamState | undefined,
  { solutions = false, ...walkOptions }: ChangesOptions,
): Changes {
  const { folderId = 'root', concurrency = 8, ...options } = walkOptions
  if (state && (state.version !== 1 || state.folderId !== folderId))
    throw new MeadowError('This state is of another folder or version: begin without one.')
  const next: TeamState = { version: 1, folderId, folders: {}, solutions: {}, unplaced: [] }
  let isRead = false

  async function readFolder(id: string): Promise<Folder> {
    const known = findFolder(state, id)
    const condition = known && { headers: { 'if-none-match': known.tag } }
    const path = endpointPath('readFolder', id)
    const found = await send(path, { ...options, ...condition }, async (response) => {
      if (response.status === 304 && known) return known
      if (response.status !== 200) throw await readError(response, path)
      const { folder } = (await response.json()) as { folder: Folder }
      return { tag: response.headers.get('etag') ?? '', folder }
    })
    next.folders[found.folder.id] = found
    return found.folder
  }

  async function* compare(): AsyncGenerator<Change, void, undefined> {
    const known = listDocuments(state)
    const seen = new Map<string, LocatedDocument>()
    for await (const { folder, path } of walk({ readFolder }, walkOptions)) {
      for (const summary of folder.documents) {
        const document = { ...summary, folderId: folder.id, path }
        yield* compareDocument(known.get(document.id), document)
        known.set(document.id, document)
        seen.set(document.id, document)
      }
    }
    const missing = [...known.values()].filter(({ id }) => !seen.has(id))
    for await (const previous of mapAhead(missing, concurrency, findGone)) if (previous) yield previous
    if (solutions)
      for await (const change of mapAhead(seen.values(), concurrency, compareSolution))
        if (change) yield change
    isRead = true
  }

  /** A document that is in no folder any more is gone, or was moved while the folders were being read. */
  async function findGone(previous: LocatedDocument): Promise<Change | undefined> {
    const { id, name } = previous
    const path = endpointPath('readDocument', id)
    const exists = await send(path, { ...options, method: 'HEAD' }, async (response) => {
      if (response.status === 200) return true
      const error = await readError(response, path)
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
      const error = await readError(response, path)
      if (error instanceof SolveFailed) return 'failed'
      // Until it is solved again what was seen last counts.
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

/** The documents of a state by id. One that was seen in two folders is where it was seen last. */
function listDocuments(state: TeamState | undefined): Map<string, LocatedDocument> {
  const documents = new Map(state?.unplaced.map((document) => [document.id, document]))
  for (const { folder } of Object.values(state?.folders ?? {})) {
    const path = pathOf(folder)
    for (const summary of folder.documents)
      documents.set(summary.id, { ...summary, folderId: folder.id, path })
  }
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

/** The results for all items, in their order, of which up to `concurrency` are being made at once. */
async function* mapAhead<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const started: Promise<Result>[] = []
  for (const item of items) {
    const result = map(item)
    // Whoever waits for it hears of a failure; until then, or when nobody does, it is not an unhandled one.
    result.catch(() => {})
    started.push(result)
    if (started.length >= concurrency) yield await started.shift()!
  }
  for (const result of started) yield await result
}
