import { ApiError, endpointPath, Forbidden, type FoundDocument, type Meadow, NotFound } from '@meadow/client'
import { CommandFailure, UsageFailure } from '@meadow/command'
import { EXIT_CODES } from '../failure.ts'
import { findFolderByPath, findIdInAddress, mayBeId } from './find-folder.ts'

/** The maximum number of candidates that an error lists. */
const LISTED = 10

/**
 * Resolves with the id of the document that a user names: by its id, its exact name, its path such as `Facades/Tower`,
 * or the address of its page. If several documents have that name, it fails with an error that lists them.
 */
export async function findDocument(meadow: Meadow, text: string, signal: AbortSignal): Promise<string> {
  if (text.trim() === '') throw new UsageFailure('The name of the document is empty.')
  const address = findIdInAddress(meadow, text, 'documents')
  if (address !== undefined) return address
  if (mayBeId(text) && (await isDocument(meadow, text, signal))) return text
  const { documents, truncated } = await meadow.searchDocuments({ q: text, signal })
  // A search returns names that start with the text first, but at most 50 documents.
  const named = truncated
    ? await findAllNamed(meadow, text, documents, signal)
    : documents.filter(({ name }) => name === text)
  if (named.length === 1) return named[0]!.id
  if (named.length > 1) throw await toAmbiguity(meadow, text, named, signal)
  const byPath = await findByPath(meadow, text, signal)
  if (byPath !== undefined) return byPath
  throw missing(text, documents, truncated)
}

async function isDocument(meadow: Meadow, id: string, signal: AbortSignal): Promise<boolean> {
  const response = await meadow.request(endpointPath('readDocument', id), { method: 'HEAD', signal })
  // A token that may not read documents may be allowed to read solutions by id.
  return response.status === 200 || response.status === 403
}

/** Finds every document of this name in any folder, or only those of a search when the token may not read folders. */
async function findAllNamed(
  meadow: Meadow,
  text: string,
  found: readonly FoundDocument[],
  signal: AbortSignal,
): Promise<FoundDocument[]> {
  const named: FoundDocument[] = []
  try {
    for await (const { folder } of meadow.walk({ signal })) {
      const { id, name, parentId, documents } = folder
      const place = { folder: { id, name }, isRoot: parentId === null }
      for (const document of documents) if (document.name === text) named.push({ ...document, ...place })
    }
    return named
  } catch (error) {
    if (error instanceof Forbidden) return found.filter(({ name }) => name === text)
    throw error
  }
}

async function findByPath(meadow: Meadow, text: string, signal: AbortSignal): Promise<string | undefined> {
  const names = text.split('/').filter((name) => name !== '')
  const name = names.pop()
  if (name === undefined || !text.includes('/')) return undefined
  try {
    const folder = await findFolderByPath(meadow, names, signal)
    const found = folder?.documents.filter((document) => document.name === name) ?? []
    if (found.length <= 1) return found[0]?.id
    throw ambiguous(
      text,
      found.map(({ id }) => ({ place: text, id })),
    )
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return undefined
    throw error
  }
}

async function toAmbiguity(
  meadow: Meadow,
  text: string,
  found: readonly FoundDocument[],
  signal: AbortSignal,
): Promise<CommandFailure> {
  const listed = await Promise.all(
    found.slice(0, LISTED).map(async ({ id, name, folder }) => ({
      place: [...(await findPlace(meadow, folder.id, signal)), name].join('/'),
      id,
    })),
  )
  return ambiguous(text, listed, found.length - listed.length)
}

/** Resolves with the names of the folders from below the root folder; empty when the token may not read folders. */
async function findPlace(meadow: Meadow, folderId: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { parentId, path, name } = await meadow.readFolder(folderId, { signal })
    return parentId === null ? [] : [...path.slice(1).map((ancestor) => ancestor.name), name]
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

function ambiguous(text: string, listed: readonly { place: string; id: string }[], more = 0): UsageFailure {
  const lines = listed.map(({ place, id }) => `${JSON.stringify(place)} (${id})`).join(', ')
  const rest = more > 0 ? ` and ${more} more` : ''
  return new UsageFailure(
    `Several documents are called ${JSON.stringify(text)}: ${lines}${rest}. Name one by its path or its id.`,
  )
}

function missing(text: string, similar: readonly FoundDocument[], truncated: boolean): CommandFailure {
  const names = [...new Set(similar.map(({ name }) => JSON.stringify(name)))].slice(0, LISTED)
  const rest = truncated || similar.length > LISTED ? ' and more' : ''
  const hint =
    names.length === 0
      ? '"meadow search" lists the documents.'
      : `Documents with that in their name: ${names.join(', ')}${rest}.`
  return new CommandFailure(
    `Could not find a document with the id, name or path ${JSON.stringify(text)}. ${hint}`,
    { exitCode: EXIT_CODES.notFound },
  )
}
