import type { EncodedGeometry } from '@meadow/contract'
import type { Colour } from '@meadow/solver'

/** An object of a model file. */
export interface ModelObject {
  /** A UUID in lower case. */
  id: string
  /** Of its layer, without those above it; empty where the file has none of that number. */
  layer: string
  name: string
  /** Its own; undefined for one that has that of its layer. */
  colour: Colour | undefined
  /** Of its attributes, in the file's order. */
  userStrings: ReadonlyMap<string, string>
  /** Its openNURBS object as the file has it, for `CommonObject.decode`. Made when asked for: it is as large as the object. */
  encode(): EncodedGeometry
  /** Where its attributes stand in the file: their body without the checksum. */
  attributes: { start: number; end: number }
}
