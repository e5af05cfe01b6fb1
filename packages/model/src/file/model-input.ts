import type { Group, Unit } from '@meadow/contract'
import type { Colour, Geometry, Opaque, Shader } from '@meadow/geometry/values/value'
import type { ValueLocation } from './value-location.ts'

/** A value for a model file, and its origin. */
export interface ModelValue extends ValueLocation {
  /** Opaque values are written unchanged. */
  value: Geometry | Opaque
  nodeName: string
  portName: string
  /** The material of the object; by default that of its layer. */
  material?: Shader
  /** The colour of the object; by default that of its material, otherwise that of its layer. */
  colour?: Colour
}

export interface ModelOptions {
  documentId: string
  solutionId?: string
  /** The archive version: 7 opens in Rhino 7 and later, 8 in Rhino 8 and later. */
  archiveVersion: 7 | 8
  units: Unit
  /** The groups of the document. Each that has values is a layer, above the layers of its nodes. */
  groups?: readonly Group[]
  /** Nodes whose preview is off. Their layers are off too, unless one of their values has a material. */
  hiddenNodeIds?: ReadonlySet<string>
  /** Written to the file as its dates, with a resolution of a second. */
  savedAt: Date
}

/** A note about a value. */
export interface ValueRemark extends ValueLocation {
  reason: string
}

/** A model file, and the data that verifies it when it is read. */
export interface WrittenModel {
  bytes: Uint8Array
  /** The SHA-256 of `bytes`, in lower-case hex. */
  sha256: string
  /** The number of objects. Each member of a group is an object. */
  objectCount: number
  /** Values, or members of groups, that the file lacks because openNURBS has no object for them. */
  unsupported: ValueRemark[]
  /** Values in the file that openNURBS reports as invalid, with its reason. */
  invalid: ValueRemark[]
}
