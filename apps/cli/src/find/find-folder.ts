import { type Folder, type Meadow, NotFound } from '@meadow/client'
import { CommandFailure, UsageFailure } from '@meadow/command'
import { EXIT_CODES } from '../failure.ts'

/** Finds the folder that a user names: by its path such as `Facades/North`, its name, its id, or `root` (also `/`). */
export async function findFolder(
  meadow: Meadow,
  text: string | undefined,
  signal: AbortSignal,
): Promise<Folder> {
  const names = (text ?? '').split('/').filter((name) => name !== '')
  if (text === undefined || text === 'root' || names.length === 0)
    return meadow.readFolder('root', { signal })
  const address = findIdInAddress(meadow, text, 'folders')
  if (address !== undefined) return meadow.readFolder(address, { signal })
  const byPath = await findFolderByPath(meadow, names, signal)
  if (byPath) return byPath
  if (mayBeId(text)) {
    try {
      return await meadow.readFolder(text, { signal })
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
  }
  return findByName(meadow, text, signal)
}

/** Finds the folder at the end of these names, starting at the root folder; undefined when there is no such folder. */
export async function findFolderByPath(
  meadow: Meadow,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Folder | undefined> {
  let folder = await meadow.readFolder('root', { signal })
  for (const name of names) {
    const child = folder.folders.find((one) => one.name === name)
    if (!child) return undefined
    folder = await meadow.readFolder(child.id, { signal })
  }
  return folder
}

/** Finds a folder by its name, which takes a walk through all folders. */
async function findByName(meadow: Meadow, name: string, signal: AbortSignal): Promise<Folder> {
  const found: { folder: Folder; path: string[] }[] = []
  for await (const visit of meadow.walk({ signal })) if (visit.path.at(-1) === name) found.push(visit)
  if (found.length > 1) {
    const places = found.map(({ folder, path }) => `${JSON.stringify(path.join('/'))} (${folder.id})`)
    throw new UsageFailure(
      `Several folders are called ${JSON.stringify(name)}: ${places.join(', ')}. Name one by its path or its id.`,
    )
  }
  if (found.length === 0) {
    throw new CommandFailure(
      `Could not find a folder with the id, name or path ${JSON.stringify(name)}. "meadow tree" shows the folders.`,
      { exitCode: EXIT_CODES.notFound },
    )
  }
  return found[0]!.folder
}

/** Whether a text may be an id: ids have neither spaces nor slashes, and are longer than most names. */
export const mayBeId = (text: string): boolean => /^[\w-]{8,}$/.test(text)

/** Returns the id in the address of a page of this service, such as `https://meadow.example.org/documents/x`. */
export function findIdInAddress(
  { baseUrl }: Pick<Meadow, 'baseUrl'>,
  text: string,
  kind: 'documents' | 'folders',
): string | undefined {
  if (!/^https?:\/\//.test(text)) return undefined
  const id = new RegExp(`/${kind}/([^/?#]+)`).exec(text)?.[1]
  if (!text.startsWith(`${baseUrl}/`) || id === undefined)
    throw new UsageFailure(`${JSON.stringify(text)} is not the address of one of the ${kind} of ${baseUrl}.`)
  return decodeURIComponent(id)
}
