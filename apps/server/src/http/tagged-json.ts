import type { JsonBody } from './json-body.ts'

/** A JSON answer whose entity tag is known before it is made: who has it already costs nothing more. */
export class TaggedJson {
  /** With its quotes. */
  readonly tag: string
  /** Makes the body; with a newer tag, when something has changed meanwhile. */
  readonly make: () => Promise<JsonBody>

  constructor(tag: string, make: () => Promise<JsonBody>) {
    this.tag = tag
    this.make = make
  }
}
