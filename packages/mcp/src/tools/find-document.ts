import { NotFound } from '@meadow/client'
import { oneLine } from '../text/show-value.ts'
import { type ToolContext, ToolError } from './context.ts'

/** The maximum number of documents that an error lists. */
const MAX_CANDIDATES = 10

/**
 * Reads something of a document, which is given by its id, its name, or its folder and name (`Studies/Tower`). Names
 * are only looked up when there is no document with that id. Fails: `ToolError` when there is no such document, or when
 * several have that name.
 */
export async function readByIdOrName<Result>(
  context: ToolContext,
  idOrName: string,
  read: (documentId: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(idOrName)
  } catch (error) {
    if (!(error instanceof NotFound) || !context.hasScope('documents:read')) throw error
  }
  return read(await findByName(context, idOrName))
}

async function findByName({ meadow, signal }: ToolContext, text: string): Promise<string> {
  const { folder, name } = splitPath(text)
  const { documents, truncated } = await meadow.searchDocuments({ q: name, signal })
  const named = documents.filter(
    (document) =>
      isSame(document.name, name) && (folder === undefined || isSame(document.folder.name, folder)),
  )
  const [only] = named
  if (only && named.length === 1 && !truncated) return only.id
  const candidates = (named.length > 0 ? named : documents)
    .slice(0, MAX_CANDIDATES)
    .map(({ id, isRoot, folder, name }) => `${id} ${oneLine(isRoot ? name : `${folder.name}/${name}`)}`)
  const list =
    candidates.length > 0 ? ` Give the id of one: ${candidates.join('; ')}.` : ' Use search_documents.'
  if (named.length > 0)
    throw new ToolError(`Several documents may be meant by ${JSON.stringify(text)}.${list}`)
  throw new ToolError(`There is no document with the id or name ${JSON.stringify(text)}.${list}`)
}

/**
 * Splits a text such as `Studies/Tower` into a folder and a name. A document with a slash in its name can be found by
 * its id.
 */
function splitPath(text: string): { folder?: string; name: string } {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return { name: text.trim() }
  const folder = text.slice(0, slash).split('/').at(-1)!.trim()
  return { ...(folder && { folder }), name: text.slice(slash + 1).trim() }
}

const isSame = (a: string, b: string): boolean => a.normalize().toLowerCase() === b.normalize().toLowerCase()
