import { Fault, printable } from './grasshopper-error.ts'
import { MAX_DEPTH } from './limits.ts'

/** The position of a parser or writer in the tree: the open chunks, and the item. */
export class ElementPath {
  readonly #names: string[] = []
  readonly #indices: number[] = []

  get depth(): number {
    return this.#names.length
  }

  enterChunk(name: string, index: number): void {
    if (this.depth >= MAX_DEPTH) throw new Fault('too_large', `Chunks are nested more than ${MAX_DEPTH} deep`)
    this.enterItem(name, index)
  }

  enterItem(name: string, index: number): void {
    this.#names.push(name)
    this.#indices.push(index)
  }

  leave(): void {
    this.#names.pop()
    this.#indices.pop()
  }

  /** `Root/Definition/DefinitionObjects/Object #3` */
  toString(): string {
    const steps = this.#names.map((name, at) => {
      const index = this.#indices[at]
      return index === -1 ? printable(name) : `${printable(name)} #${index}`
    })
    return steps.join('/')
  }
}
