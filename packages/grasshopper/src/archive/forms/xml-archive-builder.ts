import type { XmlField } from '../items/item-codec.ts'
import { findItemType, ITEM_CODECS } from '../items/item-codecs.ts'
import { int32 } from '../items/scalars.ts'
import type { Archive, Chunk, Item, ItemType, Miscount } from '../tree/archive.ts'
import { ElementPath } from '../tree/element-path.ts'
import { Fault, printable } from '../tree/grasshopper-error.ts'
import { MAX_MISCOUNTS } from '../tree/limits.ts'
import { checkRootName } from '../tree/root-names.ts'

export type XmlAttributes = Readonly<Record<string, string>>

/** An open element, which handles its content. */
interface OpenElement {
  open(tag: string, attributes: XmlAttributes): OpenElement
  addText(text: string): void
  close(): void
}

/**
 * Builds the tree of an archive from the events of an XML parser. The parser checks that tags match and that there is one
 * root element. Each element is checked when it opens, so only the open elements are kept beside the tree.
 * Fails: `Fault`.
 */
export class XmlArchiveBuilder {
  /** The open chunks and item. */
  readonly path = new ElementPath()
  readonly #maxElements: number
  readonly #findLine: () => number
  readonly #miscounts: Miscount[] = []
  readonly #open: OpenElement[] = []
  #elementCount = 0
  #root: Chunk | undefined

  constructor(maxElements: number, findLine: () => number) {
    this.#maxElements = maxElements
    this.#findLine = findLine
  }

  openElement(tag: string, attributes: XmlAttributes): void {
    const parent = this.#open.at(-1)
    this.#open.push(parent ? parent.open(tag, attributes) : this.#openRoot(tag, attributes))
  }

  addText(text: string): void {
    this.#open.at(-1)?.addText(text)
  }

  closeElement(): void {
    this.#open.pop()?.close()
  }

  getArchive(): Archive {
    if (!this.#root) throw new Fault('truncated', 'The text ends before an archive starts')
    return this.#miscounts.length === 0
      ? { root: this.#root }
      : { root: this.#root, miscounts: this.#miscounts }
  }

  #openRoot(tag: string, attributes: XmlAttributes): OpenElement {
    if (tag !== 'Archive') throw new Fault('not_an_archive', 'The XML is not of a Grasshopper archive')
    checkRootName(attributes.name ?? '')
    this.#root = createChunk(attributes)
    return this.#openChunk(this.#root)
  }

  #openChunk(chunk: Chunk): OpenElement {
    const { name, index, items, chunks } = chunk
    this.path.enterChunk(name, index)
    const met = new Set<string>()
    return {
      open: (tag, { count }) => {
        if (met.has(tag)) throw createTagFault(tag)
        met.add(tag)
        if (tag === 'items')
          return this.#openList('item', items, count, (attributes) => this.#openItem(attributes, items))
        if (tag === 'chunks')
          return this.#openList('chunk', chunks, count, (attributes) => this.#openChild(attributes, chunks))
        throw createTagFault(tag)
      },
      addText: rejectText,
      close: () => this.path.leave(),
    }
  }

  #openList(
    childTag: string,
    list: readonly unknown[],
    count: string | undefined,
    openChild: (attributes: XmlAttributes) => OpenElement,
  ): OpenElement {
    return {
      open: (tag, attributes) => {
        if (tag !== childTag) throw createTagFault(tag)
        this.#elementCount += 1
        if (this.#elementCount > this.#maxElements) {
          throw new Fault('too_large', `There are more than ${this.#maxElements} items and chunks`)
        }
        return openChild(attributes)
      },
      addText: rejectText,
      close: () => {
        if (count !== undefined && count !== String(list.length))
          this.#addMiscount({ elements: `${childTag}s`, announced: printable(count), found: list.length })
      },
    }
  }

  /** People edit files by hand and by script, and forget the counts: what is there counts. */
  #addMiscount(miscount: Omit<Miscount, 'where'>): void {
    if (this.#miscounts.length >= MAX_MISCOUNTS) return
    this.#miscounts.push({ where: `${this.path}, line ${this.#findLine()}`, ...miscount })
  }

  #openChild(attributes: XmlAttributes, siblings: Chunk[]): OpenElement {
    const chunk = createChunk(attributes)
    siblings.push(chunk)
    return this.#openChunk(chunk)
  }

  #openItem(attributes: XmlAttributes, siblings: Item[]): OpenElement {
    const { name, index } = readIdentity(attributes)
    this.path.enterItem(name, index)
    const type = readType(attributes)
    const { tags, parse } = ITEM_CODECS[type]
    const fields: XmlField[] = []
    let text = ''
    return {
      open(tag, { length }) {
        if (tag !== tags[fields.length]) throw createTagFault(tag)
        return openField((fieldText) => fields.push({ tag, text: fieldText, length }))
      },
      addText(more) {
        if (tags.length > 0) rejectText(more)
        else text += more
      },
      close: () => {
        const missing = tags[fields.length]
        if (missing !== undefined) throw new Fault('malformed', `The element <${missing}> is missing`)
        siblings.push({ name, index, type, value: parse({ text, fields }) } as Item)
        this.path.leave()
      },
    }
  }
}

function openField(keep: (text: string) => void): OpenElement {
  let text = ''
  return {
    open(tag) {
      throw createTagFault(tag)
    },
    addText(more) {
      text += more
    },
    close: () => keep(text),
  }
}

function createChunk(attributes: XmlAttributes): Chunk {
  return { ...readIdentity(attributes), items: [], chunks: [] }
}

function readIdentity({ name, index }: XmlAttributes): { name: string; index: number } {
  if (name === undefined) throw new Fault('malformed', 'An item or chunk has no name')
  const number = index === undefined ? -1 : int32.parse(index)
  if (number === undefined) throw new Fault('malformed', `The index "${printable(index!)}" is not an int32`)
  return { name, index: number }
}

function readType({ type_name: name = '', type_code: code = '' }: XmlAttributes): ItemType {
  const type = findItemType(Number(code))
  if (type !== undefined && name === `gh_${type}`) return type
  const what = `An item has the type "${printable(name)}" (${printable(code)}), which does not exist`
  throw new Fault('malformed', what)
}

function rejectText(text: string): void {
  if (text.trim() !== '') throw new Fault('malformed', 'Text stands where only elements belong')
}

function createTagFault(tag: string): Fault {
  return new Fault('malformed', `An element <${printable(tag)}> stands where it does not belong`)
}
