import type { DocumentSummary, FolderReference, TeamState } from '@meadow/client'
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
export function placeDocuments({ top, folders, documents }: TeamState): PlacedContents {
  const contents = new Map<string, Contents>()
  const contentsOf = (id: string): Contents => {
    const known = contents.get(id) ?? { folders: [], documents: [] }
    contents.set(id, known)
    return known
  }
  for (const [id, { name, parentId }] of Object.entries(folders))
    if (parentId !== null) contentsOf(parentId).folders.push({ id, name })
  for (const document of Object.values(documents)) contentsOf(document.folderId).documents.push(document)
  const placed: PlacedDocument[] = []
  const folderIds = new Set<string>()
  let topFolders: Record<string, string> = {}
  const ways = [{ id: top, place: '' }]
  for (let way = ways.pop(); way; way = ways.pop()) {
    const { id, place } = way
    const inside = contentsOf(id)
    const names = nameContents(inside)
    folderIds.add(id)
    if (id === top) topFolders = Object.fromEntries([...names.folders].map(([id, name]) => [name, id]))
    for (const [child, name] of names.folders) ways.push({ id: child, place: `${place}${name}/` })
    for (const { id, name, updatedAt } of inside.documents)
      placed.push({ id, name, updatedAt, base: place + names.documents.get(id)! })
  }
  return { documents: placed, folderIds, topFolders }
}

/** What is directly in a folder. */
interface Contents {
  folders: FolderReference[]
  documents: DocumentSummary[]
}

/**
 * Names the content of a folder. Of several documents with the same name, the oldest one keeps it, so that a new one
 * does not change the place of another.
 */
function nameContents({ folders, documents }: Contents) {
  const taken = new Set<string>()
  const byId = <T extends { id: string }>(a: T, b: T) => (a.id < b.id ? -1 : 1)
  const byAge = (a: DocumentSummary, b: DocumentSummary) =>
    a.createdAt === b.createdAt ? byId(a, b) : a.createdAt < b.createdAt ? -1 : 1
  return {
    folders: nameSiblings(folders.toSorted(byId), taken, ['']),
    documents: nameSiblings(documents.toSorted(byAge), taken, ENDINGS),
  }
}
