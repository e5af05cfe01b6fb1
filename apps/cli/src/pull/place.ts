import type { DocumentSummary, Folder, Meadow } from '@meadow/client'
import { nameSiblings } from './file-names.ts'
import { ENDINGS } from './formats.ts'

/** A document of the team, with the place of its files in a mirror. */
export interface PlacedDocument {
  id: string
  name: string
  updatedAt: string
  /** The path of its files without their endings, with slashes. */
  base: string
}

/** The content of a folder, at any depth. */
export interface PlacedContents {
  documents: PlacedDocument[]
  /** The ids of all folders. */
  folderIds: ReadonlySet<string>
  /** The ids of the folders directly inside it, by their names in the mirror. */
  topFolders: Record<string, string>
}

/** Gives every document in a folder, at any depth, a place of its own. */
export async function placeDocuments(
  meadow: Meadow,
  folderId: string,
  signal: AbortSignal,
): Promise<PlacedContents> {
  /** The documents by id: a document that is moved meanwhile may be in two folders. */
  const placed = new Map<string, PlacedDocument>()
  /** The paths of folders in the mirror, with a slash at the end. */
  const places = new Map<string, string>()
  const folderIds = new Set<string>()
  let topFolders: Record<string, string> = {}
  for await (const { folder } of meadow.walk({ folderId, signal })) {
    const place = places.get(folder.id) ?? ''
    const { folders, documents } = nameContents(folder)
    folderIds.add(folder.id)
    if (folder.id === folderId) topFolders = Object.fromEntries([...folders].map(([id, name]) => [name, id]))
    for (const [id, name] of folders) places.set(id, `${place}${name}/`)
    for (const { id, name, updatedAt } of folder.documents)
      placed.set(id, { id, name, updatedAt, base: place + documents.get(id)! })
  }
  return { documents: [...placed.values()], folderIds, topFolders }
}

/**
 * Names the content of a folder. Of several documents with the same name, the oldest one keeps it, so that a new one
 * does not change the place of another.
 */
function nameContents({ folders, documents }: Folder) {
  const taken = new Set<string>()
  const byId = <T extends { id: string }>(a: T, b: T) => (a.id < b.id ? -1 : 1)
  const byAge = (a: DocumentSummary, b: DocumentSummary) =>
    a.createdAt === b.createdAt ? byId(a, b) : a.createdAt < b.createdAt ? -1 : 1
  return {
    folders: nameSiblings(folders.toSorted(byId), taken, ['']),
    documents: nameSiblings(documents.toSorted(byAge), taken, ENDINGS),
  }
}
