import { type Meadow, NotFound, type Reach, type TeamState } from '@meadow/client'
import { CommandFailure, type Interrupt } from '@meadow/command'
import { EXIT_CODES, isGeneral } from '../failure.ts'
import { FORMATS, type Format } from './formats.ts'
import { createMirrorFiles, type MirrorFiles, type Move } from './mirror-files.ts'
import { type PlacedContents, type PlacedDocument, placeDocuments } from './place.ts'
import { isUpToDate, type PullResult, pullDocument } from './pull-document.ts'
import { type OpenState, openState, type PulledDocument, type PullState } from './state.ts'

export interface PullOptions {
  /** The folder of the mirror. */
  target: string
  /** The id of a folder of the team; `root` for everything. */
  folderId: string
  formats: readonly Format[]
  /** Whether the files of documents stay when the documents are gone. */
  keep: boolean
  /**
   * Whether files are removed of documents that may still exist but that the token does not read: see `refuseNarrower`.
   */
  allowNarrower: boolean
  /** Whether files are compared by their digests, so that files that were changed here are written again. */
  verify: boolean
  /** The number of documents that are read at once. */
  concurrency: number
  signal: AbortSignal
  /** Runs work that Ctrl-C ends in the middle. */
  run: Interrupt['run']
  /** Called when a document is done. */
  onDone(done: number, total: number, name: string): void
}

/** A document whose files a pull has changed. */
export interface PulledChange {
  type: 'new' | 'changed' | 'moved' | 'gone'
  id: string
  /** The place of the document in the mirror, without endings. */
  path: string
  /** The formats that were written. */
  written: Format[]
  /** The former place of the document, if it was moved. */
  from?: string
}

export interface PullSummary {
  documents: number
  unchanged: number
  changes: PulledChange[]
  /**
   * What the token reads, which is found out when something is gone: with a token that is limited to folders, a
   * document may also have left these.
   */
  reach?: Reach
  /** The documents that have no current solution, with the state of their solution. */
  notSolved: { path: string; id: string; state: string }[]
  /** The wanted files that do not exist, since the solution that they are made of does not; `path` has the ending. */
  missing: { path: string; id: string; state: PullResult['missing'][number]['state'] }[]
  /** The documents that could not be read. */
  errors: { path: string; id: string; error: string }[]
}

/**
 * Brings a folder in line with a folder of the team. It may be killed at any moment: every file is whole, and the next
 * pull continues with the rest.
 */
export async function pull(meadow: Meadow, options: PullOptions): Promise<PullSummary> {
  const { target, signal } = options
  const { id: folderId, parentId } = await meadow.readFolder(options.folderId, { signal })
  await using state = await openState(target, { url: meadow.baseUrl, folderId })
  const files = createMirrorFiles(target, state, options)
  const isWhole = parentId === null
  const { seen, hasChanged } = await follow(meadow, state.seen, { ...options, folderId })
  const contents = placeDocuments(seen)
  const { documents: placed, topFolders } = contents
  const there = new Set(placed.map(({ id }) => id))
  const gone = [...state.documents].flatMap(([id, one]) => (there.has(id) ? [] : [{ ...one, id }]))
  const reach = gone.length > 0 ? await meadow.readReach({ signal }) : undefined
  if (reach === 'folders' && isWhole && !options.keep && !options.allowNarrower)
    refuseNarrower(gone, contents, state.rootFolders)
  const changes = await removeGone(gone, state, files, options)
  const moves = await moveFiles(state, files, placed)
  const summary: PullSummary = {
    documents: placed.length,
    unchanged: 0,
    changes,
    notSolved: [],
    missing: [],
    errors: [],
    ...(reach && { reach }),
  }
  let done = 0
  await forEachOf(placed, options.concurrency, async (document) => {
    await pullOne(document)
    options.onDone(++done, placed.length, document.base)
  })
  // What could not be read is asked for again.
  await state.finish(isWhole ? topFolders : undefined, summary.errors.length > 0 ? state.seen : seen)
  summary.changes.sort(byPath)
  summary.missing.sort(byPath)
  return summary

  async function pullOne(document: PlacedDocument): Promise<void> {
    const { id, base } = document
    const known = state.documents.get(id)
    try {
      if (known && !hasChanged(id) && (await isUpToDate({ files, ...options }, document, known))) {
        summary.unchanged++
        return
      }
      const result = await pullDocument({ meadow, files, ...options, claim: state.note }, document, known)
      if (JSON.stringify(result.pulled) !== JSON.stringify(state.documents.get(id)))
        await state.note(id, result.pulled)
      count(document, known, result)
    } catch (error) {
      signal.throwIfAborted()
      // Such an error would occur for every document.
      if (isGeneral(error)) throw error
      // The document was deleted since the folders were read, which the next pull will notice.
      if (error instanceof NotFound) return
      summary.errors.push({ path: base, id, error: (error as Error).message })
    }
  }

  function count({ id, base }: PlacedDocument, known: PulledDocument | undefined, result: PullResult): void {
    const { written, removed, state } = result
    if (state !== undefined && state !== 'solved') summary.notSolved.push({ path: base, id, state })
    for (const { format, state } of result.missing)
      summary.missing.push({ path: `${base}${FORMATS[format].ending}`, id, state })
    const from = moves.get(id)
    if (written.length === 0 && removed.length === 0 && from === undefined && known) summary.unchanged++
    else {
      // A document that a killed pull has only claimed counts as new, too.
      const type = !known?.updatedAt ? 'new' : written.length + removed.length > 0 ? 'changed' : 'moved'
      summary.changes.push({ type, id, path: base, written, ...(from !== undefined && { from }) })
    }
  }
}

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1)

/** A document that has left the folder, with its id. */
type GoneDocument = PulledDocument & { id: string }

/** Reads what is there now, and which documents may have changed since the last time, or have another solution. */
async function follow(
  meadow: Meadow,
  before: TeamState | undefined,
  { folderId, formats, signal }: Pick<PullOptions, 'folderId' | 'formats' | 'signal'>,
): Promise<{ seen: TeamState; hasChanged: (id: string) => boolean }> {
  const isOfSolution = formats.some((format) => FORMATS[format].of === 'solution')
  // Whether something is gone that the token merely does not read, is checked against the mirror.
  const changes = meadow.changedSince(before, { folderId, allowNarrower: true, signal })
  const changed = new Set<string>()
  for await (const change of changes) if (change.type !== 'gone') changed.add(change.document.id)
  const { state, isReset } = changes
  for (const id of Object.keys(state.ends)) changed.add(id)
  const isComplete = !isReset && (!isOfSolution || state.solutions)
  return {
    // Ends of solves that this pull does not need are kept for one that does.
    seen: isOfSolution ? { ...state, ends: {} } : state,
    hasChanged: (id) => !isComplete || changed.has(id),
  }
}

/**
 * Fails when documents may still exist although they are gone from the mirrored folders. A token limited to folders
 * sees these folders in the root, and no documents. If a document was in the root itself, or in a folder there of which
 * nothing can be read any more, then the mirror was made with a token that reads more, or the folder has left this one.
 */
function refuseNarrower(
  gone: readonly GoneDocument[],
  { folderIds }: PlacedContents,
  rootFolders: PullState['rootFolders'] = {},
): void {
  const outside = gone.filter(({ base }) => {
    const [top, ...below] = base.split('/') as [string, ...string[]]
    return below.length === 0 || !Object.hasOwn(rootFolders, top) || !folderIds.has(rootFolders[top]!)
  })
  const [first] = outside
  if (!first) return
  const count = outside.length === 1 ? 'a document' : `${outside.length} documents`
  throw new CommandFailure(
    `The token is limited to folders, and none of them has ${count} of this mirror, such as ${JSON.stringify(first.base)}, which may still exist. ` +
      'Nothing was changed. Use a token that reads all of the mirror, pull into another folder, or add --keep to keep the files or --allow-narrower to remove them.',
    { exitCode: EXIT_CODES.notAllowed },
  )
}

/** Removes the files of documents that have left the folder. */
async function removeGone(
  gone: readonly GoneDocument[],
  state: OpenState,
  files: MirrorFiles,
  { keep }: PullOptions,
): Promise<PulledChange[]> {
  for (const { id, base, files: pulled } of gone) {
    if (!keep) await files.remove(base, Object.keys(pulled))
    await state.note(id, undefined)
  }
  return gone.map(({ id, base }) => ({ type: 'gone', id, path: base, written: [] }))
}

/** Moves the files of documents whose place has changed, all at once: they may change places with each other. */
async function moveFiles(
  state: OpenState,
  files: MirrorFiles,
  placed: readonly PlacedDocument[],
): Promise<Map<string, string>> {
  const moves = placed.flatMap(({ id, base }): Move[] => {
    const from = state.documents.get(id)
    return from && from.base !== base ? [{ id, from, to: base }] : []
  })
  for (const { id, from, to } of moves) await state.note(id, { ...from, movingTo: to })
  const kept = await files.move(moves)
  for (const { id, from, to } of moves) {
    const { movingTo: _, ...document } = from
    const moved = Object.entries(from.files).filter(
      ([format]) => !kept.some((one) => one.id === id && one.format === format),
    )
    await state.note(id, { ...document, base: to, files: Object.fromEntries(moved) })
  }
  return new Map(moves.map(({ id, from }) => [id, from.base]))
}

/**
 * Runs `work` for each item, up to `limit` at once. After the first failure, no more are started, and it rejects when
 * the running ones have ended.
 */
async function forEachOf<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  let failed = false
  const worker = async () => {
    for (const item of rest) {
      if (failed) return
      try {
        await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}
