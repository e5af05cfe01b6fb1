import { endpointPath } from './endpoint-path.ts'
import { MeadowError, OutOfReach } from './errors.ts'
import { NotFound, NotSolved, SolveFailed, Solving } from './generated/errors.ts'
import type { Meadow } from './meadow.ts'
import { readReach } from './reach.ts'
import { type LocatedDocument, type SeenTeam, TeamView } from './team-view.ts'
import { readError, type Transport } from './transport.ts'
import { type WalkOptions, walk } from './walk.ts'

/**
 * A change of a document. A document to which several things happened has several changes.
 * - `changed`: its content, name or visibility, so that a renamed one is `changed` too.
 * - `moved`: it is in another folder, or a folder above it was renamed or moved.
 * - `solved`, `failed`: it has another solution, or its most recent solve failed. With `solutions: true` only.
 * - `gone`: it was deleted, or has left the folder that is looked at, or the folders that the token is limited to.
 */
export type Change =
  | { type: 'new' | SolveEnd; document: LocatedDocument }
  | { type: 'changed' | 'renamed' | 'moved'; document: LocatedDocument; previous: LocatedDocument }
  | { type: 'gone'; previous: LocatedDocument }

type SolveEnd = 'solved' | 'failed'

/** What was seen of a team, as JSON, to be kept for the next time. Its form may change with the version. */
export interface TeamState extends SeenTeam {
  version: 2
  folderId: string
  /** How far the change feed was read. */
  cursor: string
  /** Whether the token is told of ends of solves. */
  solutions: boolean
  /** Ends of solves that were not reported yet, since nobody asked for them, by document id. */
  ends: Record<string, SolveEnd>
}

export interface ChangesOptions extends WalkOptions {
  /** Whether to report ends of solves too. Of documents that are new, it costs a request each. */
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
  /** Whether everything was read again, so that nothing is known of earlier ends of solves; once all changes have been read. */
  readonly isReset: boolean
}

/**
 * Iterates over the changes since a state: without one, every folder is read once. After that the change feed names what
 * is different, with one request for all that is not.
 */
export function readChanges(
  meadow: Meadow,
  transport: Pick<Transport, 'send' | 'addressOf'>,
  state: TeamState | undefined,
  { solutions = false, allowNarrower = false, ...walkOptions }: ChangesOptions,
): Changes {
  const { folderId = 'root', concurrency = 8, ...options } = walkOptions
  if (state && (state.version !== 2 || state.folderId !== folderId))
    throw new MeadowError('This state is of another folder or version: begin without one.')
  let next: TeamState | undefined
  let isReset = false

  /** Follows the feed to its end. */
  async function follow() {
    let [view, cursor, hasEnds] = [new TeamView(state), state?.cursor, false]
    const ends = new Map(Object.entries(state?.ends ?? {}))
    for (let isBehind = true; isBehind; ) {
      const changes = await meadow.readChanges({ ...options, since: cursor })
      cursor = changes.cursor
      hasEnds = changes.solutions
      isBehind = changes.truncated
      let unread = changes.reset ? [] : view.apply(changes)
      for (const { id, happened } of changes.documents) {
        const end = happened.findLast((one) => one === 'solved' || one === 'failed')
        if (end) ends.set(id, end as SolveEnd)
      }
      if (changes.reset) {
        isReset = true
        view = new TeamView()
        for await (const { folder } of walk(meadow, walkOptions)) view.put(folder)
      }
      // What has moved while folders were read is named by the feed.
      isBehind ||= changes.reset || unread.length > 0
      while (unread.length > 0) {
        const folders = await Promise.all(unread.slice(0, concurrency).map(readFolder))
        unread = unread.slice(concurrency)
        for (const folder of folders) if (folder) unread.push(...view.replace(folder))
      }
    }
    if (solutions && !hasEnds)
      throw new MeadowError('The token is told of no ends of solves: it needs the scope "solutions:read".')
    return { view, cursor: cursor!, hasEnds, ends }
  }

  const readFolder = (id: string) =>
    meadow.readFolder(id, options).catch((error) => {
      if (error instanceof NotFound) return undefined
      throw error
    })

  async function* compare(): AsyncGenerator<Change, void, undefined> {
    const { view, cursor, hasEnds, ends } = await follow()
    const before = new TeamView(state)
    const [known, documents] = [before.locate(), view.locate()]
    const gone = [...known.values()].filter(({ id }) => !documents.has(id))
    // The feed says what has left; without it, a token that reads less finds less.
    if (isReset && !allowNarrower) await refuseNarrower(gone, before, view)
    for (const document of documents.values()) yield* compareDocument(known.get(document.id), document)
    for (const previous of gone) yield { type: 'gone', previous }
    if (solutions) {
      const unseen = [...documents.values()].filter(({ id }) => isReset || !known.has(id))
      for await (const [id, end] of mapAhead(unseen, concurrency, findEnd))
        if (end) ends.set(id, end)
        else ends.delete(id)
      for (const [id, type] of ends) {
        const document = documents.get(id)
        if (document) yield { type, document }
      }
      ends.clear()
    }
    next = {
      version: 2,
      folderId,
      cursor,
      solutions: hasEnds,
      ends: Object.fromEntries([...ends].filter(([id]) => documents.has(id))),
      ...view.toJSON(),
    }
  }

  /**
   * A token limited to folders sees these in the root, and no documents. When one that was there is in none of the folders
   * now, the state is of a token that reads more, or the folder was deleted; whether its documents exist is unknown.
   */
  async function refuseNarrower(
    gone: readonly LocatedDocument[],
    before: TeamView,
    now: TeamView,
  ): Promise<void> {
    const outside = gone.filter(({ folderId: id }) => !now.hasFolder(before.topmostOf(id) ?? ''))
    const [first] = outside
    if (folderId === 'root' && first && (await readReach(transport, options)) === 'folders')
      throw new OutOfReach(outside.length, [...first.path, first.name].join('/'))
  }

  /** Finds how the most recent solve of a document ended. */
  async function findEnd({ id }: LocatedDocument): Promise<[string, SolveEnd | undefined]> {
    const path = endpointPath('readSolution', id)
    return transport.send(path, { ...options, method: 'HEAD' }, async (response) => {
      if (response.status === 200) return [id, 'solved']
      const error = await readError(response, transport.addressOf(path).href)
      if (error instanceof SolveFailed) return [id, 'failed']
      // It ends later, or there is none.
      if (error instanceof Solving || error instanceof NotSolved || error instanceof NotFound)
        return [id, undefined]
      throw error
    })
  }

  return {
    [Symbol.asyncIterator]: compare,
    get state() {
      if (!next) throw new MeadowError('The state is complete when all changes have been read.')
      return next
    },
    get isReset() {
      return isReset
    },
  }
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
