import type { DocumentId } from '@meadow/contract'
import {
  type FolderRecord,
  MAX_INLINE_BYTES,
  type NewContent,
  type TeamChange,
} from '@meadow/server/src/catalogue/catalogue.ts'
import type { BlobStore } from '@meadow/server/src/platform/blobs/blobs.ts'
import { createContent, EMPTY_CONTENT } from './graph-content.ts'
import { documentName } from './names.ts'
import type { Random } from './random.ts'

const SMALL = { bytes: 4_900, selected: 200 }
const LARGE = { bytes: 2 ** 20, selected: 20 }
const SELECTED_NAMES = 1_000
const NEWEST = Date.UTC(2026, 10, 1)
const THREE_YEARS_MS = 3 * 365 * 24 * 3600 * 1000

/** Creates documents, and selects the ones that are measured. */
export class TeamBuilder {
  documentsCreated = 0
  readonly selected = {
    smallDocuments: [] as DocumentId[],
    largeDocuments: [] as DocumentId[],
    names: [] as string[],
  }
  readonly #random: Random
  readonly #documents: number
  readonly #blobs: BlobStore

  constructor(random: Random, documents: number, blobs: BlobStore) {
    this.#random = random
    this.#documents = documents
    this.#blobs = blobs
  }

  async fill(change: TeamChange, folder: FolderRecord, documents: number): Promise<void> {
    for (let count = 0; count < documents; count++) {
      const name = documentName(this.#random)
      const updatedAt = NEWEST - this.#random.whole(0, THREE_YEARS_MS)
      const kind = this.#kindOfNext()
      const content = await this.#contentOf(kind)
      const { id } = await change.createDocument({
        folder: folder.key,
        name,
        createdAt: updatedAt,
        updatedAt,
        content,
      })
      if (kind === 'small') this.selected.smallDocuments.push(id)
      if (kind === 'large') this.selected.largeDocuments.push(id)
      if (this.#isSelected(SELECTED_NAMES)) this.selected.names.push(name)
      this.documentsCreated++
    }
  }

  #kindOfNext(): 'small' | 'large' | 'empty' {
    if (this.#isSelected(LARGE.selected)) return 'large'
    return this.#isSelected(SMALL.selected) ? 'small' : 'empty'
  }

  #isSelected(count: number): boolean {
    return this.documentsCreated % Math.max(1, Math.floor(this.#documents / count)) === 0
  }

  async #contentOf(kind: 'small' | 'large' | 'empty'): Promise<NewContent> {
    if (kind === 'empty') return { kind: 'inline', bytes: EMPTY_CONTENT }
    const bytes = createContent(this.#random, kind === 'small' ? SMALL.bytes : LARGE.bytes)
    if (bytes.length <= MAX_INLINE_BYTES) return { kind: 'inline', bytes }
    return { kind: 'blob', ...(await this.#blobs.put(bytes)) }
  }
}
