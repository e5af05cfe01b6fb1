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

const SMALL = { bytes: 4_900, wanted: 200 }
const LARGE = { bytes: 2 ** 20, wanted: 20 }
const NAMES_WANTED = 1_000
const NEWEST = Date.UTC(2026, 10, 1)
const THREE_YEARS_MS = 3 * 365 * 24 * 3600 * 1000

/** Makes documents and remembers the ones that are measured. */
export class TeamBuilder {
  documentsMade = 0
  readonly found = {
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
    for (let made = 0; made < documents; made++) {
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
      if (kind === 'small') this.found.smallDocuments.push(id)
      if (kind === 'large') this.found.largeDocuments.push(id)
      if (this.#isTurnOf(NAMES_WANTED)) this.found.names.push(name)
      this.documentsMade++
    }
  }

  #kindOfNext(): 'small' | 'large' | 'empty' {
    if (this.#isTurnOf(LARGE.wanted)) return 'large'
    return this.#isTurnOf(SMALL.wanted) ? 'small' : 'empty'
  }

  #isTurnOf(wanted: number): boolean {
    return this.documentsMade % Math.max(1, Math.floor(this.#documents / wanted)) === 0
  }

  async #contentOf(kind: 'small' | 'large' | 'empty'): Promise<NewContent> {
    if (kind === 'empty') return { kind: 'inline', bytes: EMPTY_CONTENT }
    const bytes = createContent(this.#random, kind === 'small' ? SMALL.bytes : LARGE.bytes)
    if (bytes.length <= MAX_INLINE_BYTES) return { kind: 'inline', bytes }
    return { kind: 'blob', ...(await this.#blobs.put(bytes)) }
  }
}
