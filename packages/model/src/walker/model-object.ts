import type { EncodedGeometry } from '@meadow/contract'
import type { Colour } from '@meadow/geometry/values/value'

/** An object of a model file. */
export interface ModelObject {
  /** A UUID, in lower case. */
  id: string
  /** The id of its openNURBS class, in lower case. */
  classId: string
  /** The name of its layer, without parent layers; empty if the file lacks the layer. */
  layer: string
  name: string
  /** The colour of the object; undefined if it has the colour of its layer. */
  colour: Colour | undefined
  /** The index of its material in the material table; undefined for an object with the material of its layer. */
  materialIndex: number | undefined
  /** The user strings of its attributes, in file order. */
  userStrings: ReadonlyMap<string, string>
  /**
   * Returns the openNURBS object as in the file, for `CommonObject.decode`. Encoded on demand, because it is as
   * large as the object.
   */
  encode(): EncodedGeometry
  /** The offsets of the body of its attributes in the file, without the checksum. */
  attributes: { start: number; end: number }
}
