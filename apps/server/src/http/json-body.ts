import { compress, type Encoding, MIN_COMPRESSED_BYTES } from './encodings.ts'
import { encodedTag, entityTag } from './entity-tag.ts'

/** One encoding of a body, ready to send. */
export interface Representation {
  bytes: Uint8Array
  tag: string
  encoding: Encoding | undefined
}

/** The bytes of a JSON answer, its entity tag, and its compressed forms once someone asked for them. */
export class JsonBody {
  readonly tag: string
  readonly #identity: Representation
  readonly #compressed = new Map<Encoding, Promise<Representation>>()

  /** `tag` in place of one that is made of the bytes, for who knows another that changes with them. */
  constructor(json: Uint8Array | object, tag?: string) {
    const bytes = json instanceof Uint8Array ? json : Buffer.from(JSON.stringify(json))
    this.tag = tag ?? entityTag(bytes)
    this.#identity = { bytes, tag: this.tag, encoding: undefined }
  }

  get size(): number {
    return this.#identity.bytes.length
  }

  /** The form for this encoding; made once, however many ask at the same time. */
  in(encoding: Encoding | undefined): Representation | Promise<Representation> {
    if (encoding === undefined || this.size < MIN_COMPRESSED_BYTES) return this.#identity
    let form = this.#compressed.get(encoding)
    if (!form) {
      const tag = encodedTag(this.tag, encoding)
      form = compress(this.#identity.bytes, encoding).then((bytes) => ({ bytes, tag, encoding }))
      this.#compressed.set(encoding, form)
    }
    return form
  }

  /** The tag that the form for this encoding has, without making it. */
  tagIn(encoding: Encoding | undefined): string {
    return encoding === undefined || this.size < MIN_COMPRESSED_BYTES
      ? this.tag
      : encodedTag(this.tag, encoding)
  }
}
