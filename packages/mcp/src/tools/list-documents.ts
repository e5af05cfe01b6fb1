import type { ChildFolder, SearchDocumentsResult } from '@meadow/client'
import { cutPage, type Page } from '../text/page.ts'
import { oneLine } from '../text/show-value.ts'
import type { ToolContext } from './context.ts'

export interface FolderArguments {
  folderId?: string
  depth?: number
  cursor?: string
}

export interface SearchArguments {
  q?: string
  folderId?: string
  uses?: string
}

/** Lists a folder: its ancestors, folders and documents with their ids and names. */
export async function listFolder(
  { folderId = 'root', depth, cursor }: FolderArguments,
  { meadow, hasScope, signal }: ToolContext,
): Promise<Page> {
  const [folder, team] = await Promise.all([
    meadow.readFolder(folderId, { depth, signal }),
    hasScope('team:read') ? meadow.readTeam({ signal }) : undefined,
  ])
  // The name of the root folder is an internal placeholder.
  const nameOf = ({ id, name }: { id: string; name: string }) =>
    oneLine(id === (folder.path[0]?.id ?? folder.id) ? (team?.name ?? 'Root folder') : name)
  const lines = [
    `Folder ${[...folder.path, folder].map((each) => `${nameOf(each)} (${each.id})`).join(' > ')}`,
    `${folder.folders.length} folders, ${folder.documents.length} documents: id, name, last change of a document`,
    ...listContents(folder, ''),
    ...(folder.depth! < depth!
      ? [`Deeper than ${folder.depth} nothing is shown: it would be too much.`]
      : []),
  ]
  return cutPage(lines, { cursor })
}

/** Lists folders with what is in them, as far as that was read, then the documents. */
const listContents = ({ folders = [], documents = [] }: Partial<ChildFolder>, indent: string): string[] => [
  ...folders.flatMap((child) => [
    `${indent}${child.id} ${oneLine(child.name)}/`,
    ...listContents(child, `${indent}  `),
  ]),
  ...documents.map(({ id, name, updatedAt }) => `${indent}${id} ${oneLine(name)} ${showTime(updatedAt)}`),
]

/** Lists the documents whose names contain a text, or that use something, with their ids, folders, names and times. */
export async function searchDocuments(
  { q, folderId, uses }: SearchArguments,
  { meadow, signal }: ToolContext,
): Promise<Page> {
  const found = await meadow.searchDocuments({
    ...(q !== undefined && { q }),
    ...(folderId !== undefined && { folderId }),
    ...(uses !== undefined && { uses }),
    signal,
  })
  const { documents, truncated } = found
  const notes = describeUses(found)
  if (documents.length === 0) return { text: ['No document matches.', ...notes].join('\n') }
  const lines = documents.map(
    ({ id, name, folder, isRoot, updatedAt }) =>
      `${id} ${oneLine(isRoot ? name : `${folder.name}/${name}`)} ${showTime(updatedAt)}`,
  )
  const more = truncated ? ['There are more: give a longer q, or a folderId.'] : []
  return cutPage(['id, folder/name, last change', ...lines, ...more, ...notes])
}

/** Says what `uses` stood for, and for how many documents the answer is not known. */
function describeUses({ uses, index }: SearchDocumentsResult): string[] {
  if (!uses || !index) return []
  const meant = uses.map(({ kind, name, id }) => `${kind} ${oneLine(name)} (${oneLine(id)})`)
  const unknown = index.pending + index.unread + index.partial
  return [
    `uses stands for: ${meant.join(', ') || 'no component or plug-in of any document here'}`,
    ...(unknown > 0 ? [`${unknown} documents are not known well enough: they may use it too.`] : []),
  ]
}

/** Shows a time to the minute, in UTC. */
const showTime = (timestamp: string): string => `${timestamp.slice(0, 16)}Z`
