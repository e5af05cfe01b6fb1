import { NotFound } from './generated/errors.ts'
import type { Folder } from './generated/types.ts'
import type { Meadow } from './meadow.ts'
import type { CallOptions } from './transport.ts'

export interface WalkOptions extends CallOptions {
  /** Where to begin; the root folder unless given. */
  folderId?: string | undefined
  /** How many folders are read at once: 8 unless given. */
  concurrency?: number | undefined
}

export interface FolderVisit {
  /** With its documents and the folders directly inside it. The root folder's name is not one to show. */
  folder: Folder
  /** The names of the folders from below the root folder to this one; empty for the root folder. */
  path: string[]
}

interface Stop {
  id: string
  isStart: boolean
  folder?: Promise<Folder | undefined>
}

/**
 * Visits folders depth first, in the order in which a folder lists them, and reads ahead. A folder that goes while the
 * walk is under way is left out, and one that moves is visited once, or missed.
 */
export async function* walk(
  meadow: Pick<Meadow, 'readFolder'>,
  { folderId = 'root', concurrency = 8, ...options }: WalkOptions,
): AsyncIterableIterator<FolderVisit> {
  const seen = new Set<string>()
  /** The next stop is the last one. */
  const stops: Stop[] = [{ id: folderId, isStart: true }]
  let reading = 0
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    stop.folder ??= read(stop)
    readAhead()
    const folder = await stop.folder
    if (!folder || seen.has(folder.id)) continue
    seen.add(folder.id)
    stops.push(...folder.folders.map(({ id }) => ({ id, isStart: false })).reverse())
    readAhead()
    yield { folder, path: pathOf(folder) }
  }

  function readAhead(): void {
    for (let next = stops.length - 1; next >= 0 && reading < concurrency; next--) {
      const stop = stops[next]!
      stop.folder ??= read(stop)
    }
  }

  function read({ id, isStart }: Stop): Promise<Folder | undefined> {
    reading++
    const folder = meadow
      .readFolder(id, options)
      .catch((error) => {
        if (error instanceof NotFound && !isStart) return undefined
        throw error
      })
      .finally(() => reading--)
    // Whoever waits for it hears of a failure; until then, or when nobody does, it is not an unhandled one.
    folder.catch(() => {})
    return folder
  }
}

/** The names of the folders from below the root folder to this one. */
export const pathOf = ({ name, parentId, path }: Folder): string[] =>
  parentId === null ? [] : [...path.slice(1).map((ancestor) => ancestor.name), name]
