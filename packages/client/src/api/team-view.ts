import type { DocumentSummary, Folder, TeamChanges } from './generated/types.ts'

/** A document, and the folder that it is in. */
export interface LocatedDocument extends DocumentSummary {
  folderId: string
  /** The names of its folders from below the root folder. */
  path: string[]
}

/** Where a folder is, as JSON. */
export interface SeenFolder {
  name: string
  parentId: string | null
}

type SeenDocument = DocumentSummary & { folderId: string }

/** A folder with all that is in it, as JSON: the folders, those above the first one included, and the documents by id. */
export interface SeenTeam {
  /** The id of the folder; empty before it was read. */
  top: string
  folders: Record<string, SeenFolder>
  documents: Record<string, SeenDocument>
}

/** What a client knows of a folder of the team: it is read once, and then follows the change feed. */
export class TeamView {
  #top: string
  readonly #folders: Map<string, SeenFolder>
  readonly #documents: Map<string, SeenDocument>

  constructor({ top, folders, documents }: SeenTeam = { top: '', folders: {}, documents: {} }) {
    this.#top = top
    this.#folders = new Map(Object.entries(folders))
    this.#documents = new Map(Object.entries(documents))
  }

  /** Takes over a folder as it was read: the first one is the one that is followed. Returns the ids of new child folders. */
  put({ id, name, parentId, path, folders, documents }: Folder): string[] {
    this.#top ||= id
    for (const [index, above] of path.entries())
      this.#folders.set(above.id, { name: above.name, parentId: path[index - 1]?.id ?? null })
    this.#folders.set(id, { name, parentId })
    for (const document of documents) this.#documents.set(document.id, { ...document, folderId: id })
    const unknown = folders.filter((child) => !this.#folders.has(child.id))
    for (const child of folders) this.#folders.set(child.id, { name: child.name, parentId: id })
    return unknown.map((child) => child.id)
  }

  /** Takes over a folder that was read again: what is not in it any more is forgotten. */
  replace(folder: Folder): string[] {
    const inside = new Set(folder.folders.map(({ id }) => id))
    for (const [id, { parentId }] of this.#folders)
      if (parentId === folder.id && !inside.has(id) && !this.#isAboveTop(id)) this.#folders.delete(id)
    for (const [id, { folderId }] of this.#documents) if (folderId === folder.id) this.#documents.delete(id)
    return this.put(folder)
  }

  /** Takes over an answer of the change feed. Returns the ids of folders that have to be read. */
  apply({ folders, documents, gone }: TeamChanges): string[] {
    const unread: string[] = []
    for (const { id, name, parentId, happened, entered } of folders) {
      // What is in a folder that was made or restored is named, too.
      const isKnown = this.#folders.has(id) || happened.includes('created') || happened.includes('restored')
      if (entered || !isKnown) unread.push(id)
      this.#folders.set(id, { name, parentId })
    }
    for (const { happened: _, ...document } of documents) this.#documents.set(document.id, document)
    for (const { id } of gone) {
      this.#folders.delete(id)
      this.#documents.delete(id)
    }
    // It was moved below a folder of which nothing is known.
    if (this.#folders.has(this.#top) && !this.#isInTree(this.#top)) unread.push(this.#top)
    this.#prune()
    return unread.filter((id) => this.#folders.has(id))
  }

  /** Forgets what is not in the folder any more. */
  #prune(): void {
    const inside = new Map<string, boolean>()
    const isInside = (id: string | null): boolean => {
      if (id === this.#top) return this.#folders.has(id)
      if (id === null) return false
      const known = inside.get(id) ?? isInside(this.#folders.get(id)?.parentId ?? null)
      inside.set(id, known)
      return known
    }
    for (const id of [...this.#folders.keys()])
      if (!isInside(id) && !this.#isAboveTop(id)) this.#folders.delete(id)
    for (const [id, { folderId }] of this.#documents) if (!isInside(folderId)) this.#documents.delete(id)
  }

  #chainOf(id: string): string[] {
    const chain: string[] = []
    for (
      let at: string | null | undefined = id;
      at && !chain.includes(at);
      at = this.#folders.get(at)?.parentId
    )
      chain.push(at)
    return chain
  }

  #isAboveTop = (id: string): boolean => this.#chainOf(this.#top).includes(id)

  /** Whether the folder and all above it are known. */
  #isInTree = (id: string): boolean => this.#folders.get(this.#chainOf(id).at(-1)!)?.parentId === null

  /** Whether the folder is known. */
  hasFolder(id: string): boolean {
    return this.#folders.has(id)
  }

  /** The folder below the root in which another one is, or which it is; undefined for the root. */
  topmostOf(id: string): string | undefined {
    return this.#chainOf(id).at(-2)
  }

  /** The documents by id. */
  locate(): Map<string, LocatedDocument> {
    const paths = new Map<string, string[]>()
    const pathOf = (id: string): string[] => {
      const { name, parentId } = this.#folders.get(id)!
      const path = paths.get(id) ?? (parentId === null ? [] : [...pathOf(parentId), name])
      paths.set(id, path)
      return path
    }
    return new Map(
      [...this.#documents].map(([id, document]) => [id, { ...document, path: pathOf(document.folderId) }]),
    )
  }

  toJSON(): SeenTeam {
    return {
      top: this.#top,
      folders: Object.fromEntries(this.#folders),
      documents: Object.fromEntries(this.#documents),
    }
  }
}
