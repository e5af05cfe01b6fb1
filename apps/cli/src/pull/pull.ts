import { endpointPath, type Meadow, NotFound } from '@meadow/client'
import { isGeneral } from '../failure.ts'
import type { Format } from './formats.ts'
import { createMirrorFiles, type MirrorFiles, type Move } from './mirror-files.ts'
import { type PlacedDocument, placeDocuments } from './place.ts'
import { type PullResult, pullDocument } from './pull-document.ts'
import { type OpenState, openState, type PulledDocument } from './state.ts'

export interface PullOptions {
  /** The folder of the mirror. */
  target: string
  /** Of the team; `root` for everything. */
  folderId: string
  formats: readonly Format[]
  /** Whether the files of documents that are gone stay. */
  keep: boolean
  /** Whether files are compared by their digests, so that what was changed here is written again. */
  verify: boolean
  /** How many documents are read at once. */
  concurrency: number
  signal: AbortSignal
  /** Called for each document that is done. */
  onDone(done: number, total: number, name: string): void
}

/** A document whose files a pull has changed. */
export interface PulledChange {
  type: 'new' | 'changed' | 'moved' | 'gone'
  id: string
  /** Its place in the mirror, without endings. */
  path: string
  /** The formats that were written. */
  written: Format[]
  /** Where it was, if it was moved. */
  from?: string
}

export interface PullSummary {
  documents: number
  unchanged: number
  changes: PulledChange[]
  /** Documents whose solution is not that of the document as it is, by its state. */
  notSolved: { path: string; id: string; state: string }[]
  /** Documents that could not be read. */
  errors: { path: string; id: string; error: string }[]
}

/**
 * Brings a folder in line with a folder of the team. It may be killed at any moment: every file is whole, and the next
 * pull goes on with what is left.
 */
export async function pull(meadow: Meadow, options: PullOptions): Promise<PullSummary> {
  const { target, signal } = options
  const { id: folderId, parentId } = await meadow.readFolder(options.folderId, { signal })
  await using state = await openState(target, { url: meadow.baseUrl, folderId })
  const files = createMirrorFiles(target, state, options)
  const placed = await placeDocuments(meadow, folderId, signal)
  const gone = await removeGone(meadow, state, files, placed, { ...options, isWhole: parentId === null })
  const moves = await moveFiles(state, files, placed)
  const summary: PullSummary = {
    documents: placed.length,
    unchanged: 0,
    changes: gone,
    notSolved: [],
    errors: [],
  }
  let done = 0
  await forEachOf(placed, options.concurrency, async (document) => {
    await pullOne(document)
    options.onDone(++done, placed.length, document.base)
  })
  await state.finish()
  summary.changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return summary

  async function pullOne(document: PlacedDocument): Promise<void> {
    const { id, base } = document
    const known = state.documents.get(id)
    try {
      const result = await pullDocument({ meadow, files, ...options, claim: state.note }, document, known)
      if (JSON.stringify(result.pulled) !== JSON.stringify(state.documents.get(id)))
        await state.note(id, result.pulled)
      count(document, known, result)
    } catch (error) {
      signal.throwIfAborted()
      // What fails for one document fails for all of them.
      if (isGeneral(error)) throw error
      // It was deleted since the folders were read: the next pull sees that.
      if (error instanceof NotFound) return
      summary.errors.push({ path: base, id, error: (error as Error).message })
    }
  }

  function count({ id, base }: PlacedDocument, known: PulledDocument | undefined, result: PullResult): void {
    const { written, removed, state } = result
    if (state !== undefined && state !== 'solved') summary.notSolved.push({ path: base, id, state })
    const from = moves.get(id)
    if (written.length === 0 && removed.length === 0 && from === undefined && known) summary.unchanged++
    else {
      // What a pull that was killed has only claimed is new, too.
      const type = !known?.updatedAt ? 'new' : written.length + removed.length > 0 ? 'changed' : 'moved'
      summary.changes.push({ type, id, path: base, written, ...(from !== undefined && { from }) })
    }
  }
}

/** Removes the files of documents that have left the folder. */
async function removeGone(
  meadow: Meadow,
  state: OpenState,
  files: MirrorFiles,
  placed: readonly PlacedDocument[],
  { isWhole, keep, signal }: PullOptions & { isWhole: boolean },
): Promise<PulledChange[]> {
  const there = new Set(placed.map(({ id }) => id))
  const changes: PulledChange[] = []
  for (const [id, { base, files: pulled }] of [...state.documents]) {
    if (there.has(id) || (await isMoving(id))) continue
    if (!keep) await files.remove(base, Object.keys(pulled))
    await state.note(id, undefined)
    changes.push({ type: 'gone', id, path: base, written: [] })
  }
  return changes

  /** A document that is in no folder of the team was moved while the folders were read. */
  async function isMoving(id: string): Promise<boolean> {
    if (!isWhole) return false
    const { status } = await meadow.request(endpointPath('readDocument', id), {
      method: 'HEAD',
      signal,
    })
    return status !== 404
  }
}

/** Moves the files of documents that have another place, all at once: they may change places with each other. */
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

/** Runs `work` for each, up to `limit` at once. The first failure ends it, after what runs has ended. */
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
