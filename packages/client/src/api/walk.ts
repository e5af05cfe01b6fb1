import { NotFound } from './generated/errors.ts'
import type { Folder } from './generated/types.ts'
import type { Meadow } from './meadow.ts'
import type { CallOptions } from './transport.ts'

export interface WalkOptions extends CallOptions {
  /** The folder to begin with; the root folder unless given. */
  folderId?: string | undefined
  /** The number of folders that are read at once: 8 unless given. */
  concurrency?: number | undefined
}

export interface FolderVisit {
  /**
   * The folder with its documents and the folders directly inside it. The name of the root folder is not meant to be
   * shown.
   */
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
 * Visits folders depth first, in the order in which a folder lists them, and reads ahead. A folder that is deleted
 * during the walk is left out, and one that is moved is visited once, or missed.
 */
export async function* walk(
  meadow: Pick<Meadow, 'readFolder'>,
  { folderId = 'root', concurrency = 8, ...options }: WalkOptions,
): AsyncIterableIterator<FolderVisit> {
  const seen = new Set<string>()
  /** The stack of folders that are to be visited: the last one is next. */
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
    // Whoever waits for the folder gets its failure. Without this, the failure would be an unhandled rejection until
    // then.
    folder.catch(() => {})
    return folder
  }
}

/** Returns the names of the folders from below the root folder to this one. */
const pathOf = ({ name, parentId, path }: Folder): string[] =>
  parentId === null ? [] : [...path.slice(1).map((ancestor) => ancestor.name), name]
